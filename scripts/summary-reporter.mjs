// Mocha's spec reporter (dots when the output is not a terminal), and the counts in a file for scripts/test.mjs.
import { writeFileSync } from "node:fs";
import Mocha from "mocha";

const { Spec, Dot } = Mocha.reporters;
const Base = process.stdout.isTTY ? Spec : Dot;

export default class SummaryReporter extends Base {
  constructor(runner, options) {
    super(runner, options);
    runner.once("end", () => {
      const { passes, failures, pending } = runner.stats;
      writeFileSync(options.reporterOptions.summary, JSON.stringify({ passes, failures, pending }));
    });
  }
}
