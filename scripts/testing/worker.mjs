// Runs the spec files that the parent sends (run-worker.mjs), one mocha run per message, until there are
// no more. Modules that the specs import stay loaded.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import Mocha from "mocha";
import { loadOptions } from "mocha/lib/cli/options.cjs";
import { cpuSeconds } from "./cpu-seconds.mjs";
import Reporter from "./reporter.mjs";

// From the arguments, then from `mocha` in package.json, like mocha's own command.
const options = { ...loadOptions(process.argv.slice(2)), reporter: Reporter };

// Like mocha's own command: otherwise an unhandled rejection fails no test.
process.on("unhandledRejection", (reason) => {
  throw reason;
});
for (const file of options.require) await import(pathToFileURL(resolve(file)).href);
process.on("message", (files) => void run(files));
askForMore();

async function run(files) {
  if (files.length === 0) {
    // Servers of test/support/services.ts stop now.
    process.disconnect();
    setTimeout(sayWhatIsOpen, 20_000).unref();
    return;
  }
  const before = cpuSeconds();
  const mocha = new Mocha(options);
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  mocha.run(() => {
    // Otherwise it would throw uncaught errors of tests in later runs.
    mocha.dispose();
    process.send({ kind: "spent", cpuSeconds: cpuSeconds() - before });
    askForMore();
  });
}

/** Before the parent ends the process: what to look for. */
function sayWhatIsOpen() {
  const open = process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap");
  const sockets = process._getActiveHandles().flatMap(({ localPort, remotePort, spawnargs }) => {
    if (spawnargs !== undefined) return [spawnargs.join(" ")];
    return localPort === undefined ? [] : [`${localPort} to ${remotePort}`];
  });
  console.error(`open: ${[...open, ...sockets].join(", ")}`);
}

function askForMore() {
  // A command under test may have set the exit code.
  process.exitCode = 0;
  process.send({ kind: "ready" });
}
