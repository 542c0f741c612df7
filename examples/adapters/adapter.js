// A server that takes one job at a time, and its adapter: the JavaScript side of `specwright run`.
//
//     specwright run suite.json -- node examples/adapters/adapter.js
//
// The model is examples/request-busy/request_busy.smv. To test something else, replace `Server`.

const readline = require("node:readline");

// The implementation under test.
class Server {
  state = "ready";

  step(request) {
    this.state = this.state === "ready" && request ? "busy" : "ready";
  }
}

const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");

let server = new Server();
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  switch (message.op) {
    case "hello":
      // One process does for many tests, and a step acts on the inputs of the state that it leaves.
      say({ protocol: "specwright/run/1", reset: true, inputs: "leaving" });
      break;
    case "reset":
      server = new Server();
      say({ outputs: { state: server.state } });
      break;
    case "step":
      server.step(message.inputs.request);
      say({ outputs: { state: server.state } });
      break;
    case "bye":
      process.exit(0);
  }
});
