"""When an observed answer equals an expected one (SEMANTICS 5; decisions 17 to 25)."""
