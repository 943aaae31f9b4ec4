// Runs the spec files that the parent names (run-lane.mjs), a mocha run for each message, and asks for
// more until there are none. What the specs import is loaded and warm after the first of them.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import Mocha from "mocha";
import { loadOptions } from "mocha/lib/cli/options.cjs";
import Reporter from "./reporter.mjs";

// From the words given, then from `mocha` in package.json, as mocha's own command reads them.
const options = { ...loadOptions(process.argv.slice(2)), reporter: Reporter };

// Without this, which mocha's own command does too, a rejection that nobody handles fails no test.
process.on("unhandledRejection", (reason) => {
  throw reason;
});
for (const file of options.require) await import(pathToFileURL(resolve(file)).href);
process.on("message", (files) => void run(files));
askForMore();

async function run(files) {
  if (files.length === 0) {
    process.disconnect();
    return;
  }
  const mocha = new Mocha(options);
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  mocha.run(() => {
    // Else it would throw what the tests of later runs leave uncaught.
    mocha.dispose();
    askForMore();
  });
}

function askForMore() {
  // A command under test may have said how it ended.
  process.exitCode = 0;
  process.send({ kind: "ready" });
}
