import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A driver for rsp-conformance: start here, then connect your engine in {@link Engine}.
 *
 * <p>Check it: rsp-conformance engines check "stdio:java Driver.java"
 */
public class Driver {
    static final Map<String, Object> HELLO = object(
            "protocol", 1,
            "engine", "my-engine",
            "version", "0.1", // the engine's version, not the driver's
            "language", "rsp-ql",
            "dialect", object("duration", "instants"),
            "profile", "rsp-ql", // a bundled profile, or an object of dials
            "features", List.of("select"), // begin with one, add the others later
            "advances", "elements"); // "clock" if time passes without elements

    /** Ends a case with an error: `unsupported`, `rejected` or `crashed`. */
    @SuppressWarnings("serial")
    static class Refused extends RuntimeException {
        final Map<String, Object> error;

        Refused(String kind, String message) {
            super(message);
            error = object("kind", kind, "message", message);
        }

        /** Refuses the element of this index. */
        Refused(String kind, String message, int element) {
            this(kind, message);
            error.put("element", element);
        }
    }

    /** Takes an answer, from any thread. */
    interface Emit {
        /**
         * @param t the instant that the engine reports, in instants, or null
         * @param solutions rows such as object("who", object("type", "uri", "value", "http://ex.org/bob"))
         */
        void answer(Number t, List<Map<String, Object>> solutions);
    }

    /** One case in your engine. Call emit.answer for each answer that it gives. */
    static class Engine implements AutoCloseable {
        /** Start with a fresh state: create "streams", load "static", register "query". */
        Engine(Map<String, Object> request, Emit emit) {
            throw new Refused("unsupported", "no engine is connected to this driver yet");
        }

        /** Put "graph" (N-Triples) into "stream" at the instant "t" of the element. */
        void push(Map<String, Object> element) {}

        /** Return when the engine is quiet: all answers to what was pushed have come. */
        void untilQuiet() {}

        /** Let the time pass to the instant until; nothing to do if elements make it pass. */
        void advance(Number until) {}

        /** Leave nothing behind for the next case. */
        @Override
        public void close() {}
    }

    /** The answers of a case; the engine's threads and the driver's may both use it. */
    static class Answers implements Emit {
        private final List<Object> answers = new ArrayList<>();
        private Object cause;

        synchronized void cause(Object index) {
            cause = index;
        }

        @Override
        public synchronized void answer(Number t, List<Map<String, Object>> solutions) {
            answers.add(object("t", t, "cause", cause, "solutions", solutions));
        }

        synchronized List<Object> all() {
            return List.copyOf(answers);
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> run(Map<String, Object> request) {
        String query = (String) request.get("query");
        if (query.chars().filter(c -> c == '{').count() != query.chars().filter(c -> c == '}').count()) {
            // Better: ask your engine's parser.
            throw new Refused("rejected", "the braces of the query do not match");
        }
        Answers answers = new Answers();
        try (Engine engine = new Engine(request, answers)) {
            List<Map<String, Object>> elements = (List<Map<String, Object>>) request.get("elements");
            for (int index = 0; index < elements.size(); index++) {
                answers.cause(index);
                engine.push(elements.get(index));
                if ("settled".equals(request.get("pacing"))) engine.untilQuiet();
            }
            engine.untilQuiet();
            answers.cause("end");
            engine.advance((Number) request.get("until"));
            engine.untilQuiet();
        }
        return object("answers", answers.all());
    }

    static Map<String, Object> hello(Map<String, Object> request) {
        if (((Number) request.get("protocol")).intValue() < 1) {
            throw new Refused("version", "this driver speaks version 1");
        }
        return HELLO;
    }

    static Map<String, Object> reply(Map<String, Object> request) {
        try {
            return switch ((String) request.get("op")) {
                case "hello" -> hello(request);
                case "run" -> run(request);
                default -> throw new Refused("unsupported", "only hello and run");
            };
        } catch (Refused refused) {
            return object("error", refused.error);
        } catch (Exception | LinkageError | StackOverflowError error) {
            error.printStackTrace(); // standard error is shown with the failure
            return object("error", object("kind", "crashed", "message", error.toString()));
        }
    }

    public static void main(String[] arguments) throws Exception {
        // Standard output is for replies alone: whatever else prints goes to standard error.
        PrintStream replies = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null; ) {
            @SuppressWarnings("unchecked")
            var request = (Map<String, Object>) new Json(line).read();
            Map<String, Object> message = object();
            for (String key : List.of("op", "id")) {
                if (request.containsKey(key)) message.put(key, request.get(key));
            }
            message.putAll(reply(request));
            replies.print(Json.write(message) + "\n");
            replies.flush();
        }
        System.exit(0); // the end of input ends the driver, whatever threads the engine has left
    }

    static Map<String, Object> object(Object... pairs) {
        Map<String, Object> made = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) made.put((String) pairs[i], pairs[i + 1]);
        return made;
    }

    /** JSON as maps, lists, strings, BigDecimal, Boolean and null; no need for a library. */
    static class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object read() {
            Object value = value();
            if (peek() != 0) throw bad();
            return value;
        }

        private Object value() {
            switch (peek()) {
                case '{':
                    Map<String, Object> object = new LinkedHashMap<>();
                    at++;
                    for (boolean first = true; !ends('}', first); first = false) {
                        if (peek() != '"') throw bad();
                        String name = string();
                        if (peek() != ':') throw bad();
                        at++;
                        object.put(name, value());
                    }
                    return object;
                case '[':
                    List<Object> list = new ArrayList<>();
                    at++;
                    for (boolean first = true; !ends(']', first); first = false) list.add(value());
                    return list;
                case '"':
                    return string();
                default:
                    int start = at;
                    while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
                    String word = text.substring(start, at);
                    return switch (word) {
                        case "true" -> true;
                        case "false" -> false;
                        case "null" -> null;
                        default -> new BigDecimal(word);
                    };
            }
        }

        private String string() {
            StringBuilder made = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                if (c != '\\') {
                    made.append(c);
                    continue;
                }
                c = text.charAt(++at);
                int escape = "bfnrt".indexOf(c);
                if (c == 'u') {
                    made.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else {
                    made.append(escape < 0 ? c : "\b\f\n\r\t".charAt(escape));
                }
            }
            at++;
            return made.toString();
        }

        /** Whether a list or an object ends here; else the comma before its next member is read. */
        private boolean ends(char closing, boolean first) {
            char c = peek();
            if (c == closing) {
                at++;
                return true;
            }
            if (!first) {
                if (c != ',') throw bad();
                at++;
            }
            return false;
        }

        /** The next character that is no white space, 0 at the end. */
        private char peek() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
            return at < text.length() ? text.charAt(at) : 0;
        }

        private IllegalArgumentException bad() {
            return new IllegalArgumentException("not JSON at character " + at);
        }

        static String write(Object value) {
            if (value instanceof Map<?, ?> map) {
                List<String> members = new ArrayList<>();
                map.forEach((name, member) -> members.add(write(name) + ":" + write(member)));
                return "{" + String.join(",", members) + "}";
            }
            if (value instanceof List<?> list) {
                return "[" + String.join(",", list.stream().map(Json::write).toList()) + "]";
            }
            if (!(value instanceof CharSequence)) return String.valueOf(value);
            StringBuilder made = new StringBuilder("\"");
            for (char c : value.toString().toCharArray()) {
                if (c == '"' || c == '\\') made.append('\\').append(c);
                else if (c < ' ' || Character.isSurrogate(c)) made.append(String.format("\\u%04x", (int) c));
                else made.append(c);
            }
            return made.append('"').toString();
        }
    }
}
