"""Distributions, sums of them and probabilities of comparisons (*Uncertainty*, Definitions 3-7).

Sought are functions on whose values independent implementations agree. The published prototype
compares two distributions by 10,000 draws, so that its answers differ from run to run by up to a
hundredth. An answer can only be called wrong if the right one is known much more precisely. So
probabilities are computed here, not sampled.

- `distributions` has the values: a constant, plus a normal part, plus uniform parts, all
  independent. These are closed under the functions, and their parameters stay exact decimals.
- `probabilities` compares values. A comparison of two values is the question whether their
  difference, again such a sum, is below 0. Closed forms exist for normal distributions, for uniform
  ones, and for one of each; everything else is integrated numerically, by two rules whose
  difference estimates the error.
- `functions` reads literals and returns them.

A probability has an error below `probabilities.PRECISION`, or the case is refused by name.
Quadrature costs more with every uniform part, which is why their number is limited. The engine
`reference` computes the same probabilities by other means, so that tests compare two independent
computations.
"""
