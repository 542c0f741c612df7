import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/**
 * A server that takes one job at a time, and its adapter: the Java side of {@code specwright run}.
 *
 * <pre>
 * specwright run suite.json -- java examples/adapters/Adapter.java
 * </pre>
 *
 * The model is examples/request-busy/request_busy.smv. To test something else, replace {@code Server}. With a JSON
 * library at hand, read the lines with it; here the few values are found without one.
 */
public final class Adapter {
    /** The implementation under test. */
    static final class Server {
        private boolean busy;

        void step(boolean request) {
            busy = !busy && request;
        }

        String state() {
            return busy ? "busy" : "ready";
        }
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Server server = new Server();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.contains("\"op\":\"hello\"")) {
                // One process does for many tests, and a step acts on the inputs of the state that it leaves.
                say("{\"protocol\":\"specwright/run/1\",\"reset\":true,\"inputs\":\"leaving\"}");
            } else if (line.contains("\"op\":\"reset\"")) {
                server = new Server();
                say("{\"outputs\":{\"state\":\"" + server.state() + "\"}}");
            } else if (line.contains("\"op\":\"step\"")) {
                server.step(line.contains("\"request\":true"));
                say("{\"outputs\":{\"state\":\"" + server.state() + "\"}}");
            } else if (line.contains("\"op\":\"bye\"")) {
                return;
            }
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
