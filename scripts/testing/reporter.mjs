// The reporter of worker.mjs: sends every test, and the end of a run, to the parent.
import { format } from "node:util";
import Mocha from "mocha";

const { Base } = Mocha.reporters;

export default class MessageReporter extends Base {
  constructor(runner, options) {
    super(runner, options);
    runner.on("test end", (test) => {
      process.send({ kind: "test", state: test.state ?? "pending", title: test.fullTitle() });
    });
    runner.on("fail", (test) => {
      if (test.type === "hook")
        process.send({ kind: "test", state: "failed", title: test.fullTitle() });
    });
    runner.once("end", () => {
      const { passes, failures, pending } = runner.stats;
      const text = this.failures.length === 0 ? "" : printed(() => Base.list(this.failures));
      process.send({ kind: "end", passed: passes, failed: failures, skipped: pending, text });
    });
  }
}

function printed(print) {
  const lines = [];
  const log = Base.consoleLog;
  Base.consoleLog = (...words) => lines.push(format(...words));
  try {
    print();
  } finally {
    Base.consoleLog = log;
  }
  return lines.join("\n");
}
