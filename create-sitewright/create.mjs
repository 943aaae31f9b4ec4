/**
 * Creates a folder, installs Sitewright in it, and runs the installed `sitewright new`, which writes the site. It has
 * no templates and no dependencies: the site always matches the installed version.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { Failure } from "./failure.mjs";
import { callingManager, install, run, writeManifest } from "./package-manager.mjs";
import { ask, HELP, readOptions } from "./questions.mjs";

/** Runs the command; resolves with the exit code: 1 for a failure, 2 for a wrong option, 130 for Ctrl+C. */
export async function main(
  words,
  version,
  { input = process.stdin, output = process.stdout } = {},
) {
  const print = (text) => output.write(`${text}\n`);
  try {
    const given = readOptions(words);
    if (given.help) return (print(HELP.trimEnd()), 0);
    if (given.version) return (print(version), 0);
    const isAsking = input.isTTY === true && output.isTTY === true && !given.yes;
    const wanted = isAsking ? await ask(given, { input, output, checkFolder: assertEmpty }) : given;
    await create({ ...wanted, folder: wanted.folder ?? "my-site" }, { version, print });
    return 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.output !== "") process.stderr.write(`${error.output.trimEnd()}\n\n`);
    if (error.message !== "") process.stderr.write(`create-sitewright: ${error.message}\n`);
    if (error.fix !== "") process.stderr.write(`  fix: ${error.fix}\n`);
    return error.code;
  }
}

/** Files that an empty folder may have: of `git init`, and settings and lock files of package managers. */
const IGNORED = [
  ".git",
  ".npmrc",
  ".yarnrc.yml",
  "package-lock.json",
  "pnpm-lock.yaml",
  "yarn.lock",
];

function assertEmpty(folder) {
  const path = resolve(folder);
  if (!existsSync(path)) return;
  const isFolder = statSync(path).isDirectory();
  const present = isFolder ? readdirSync(path).filter((name) => !IGNORED.includes(name)) : [];
  if (isFolder && present.length === 0) return;
  const why = isFolder ? `is not empty (${present.slice(0, 3).join(", ")})` : "is a file";
  throw new Failure(`${JSON.stringify(folder)} ${why}`, {
    fix: "choose a folder that is empty or does not exist",
    code: 2,
  });
}

/** Creates the site. After a failure the folder is as it was before. */
async function create(wanted, { version, print }) {
  const folder = resolve(wanted.folder);
  assertEmpty(wanted.folder);
  const undo = rememberFolder(folder);
  const manager = callingManager(process.env);
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    mkdirSync(folder, { recursive: true });
    writeManifest(folder, wanted.package ?? `^${version}`, manager);
    if (wanted.install) {
      print(`Installing sitewright with ${manager.name} …`);
      const retry = `npm create sitewright@latest ${quoted(wanted.folder)}${flags(wanted, " -- ")}`;
      await install(folder, manager, { retry, signal: stop.signal });
      await writeSite(folder, wanted, { print, signal: stop.signal });
    }
  } catch (error) {
    undo();
    throw error;
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
  for (const line of nextSteps(wanted, folder, manager)) print(line);
}

/** Returns a function that removes everything that was added since. */
function rememberFolder(folder) {
  if (existsSync(folder)) {
    const before = readdirSync(folder);
    return () => {
      for (const name of readdirSync(folder)) {
        if (!before.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
      }
    };
  }
  let top = folder;
  while (!existsSync(dirname(top))) top = dirname(top);
  return () => rmSync(top, { recursive: true, force: true });
}

/** Runs `sitewright new` of the installed version. */
async function writeSite(folder, wanted, { print, signal }) {
  const bin = join(folder, "node_modules", "sitewright", "kernel", "cli", "bin.mjs");
  const words = [bin, "new", ".", ...optionWords(wanted)];
  const { code, text } = await run(process.execPath, words, { folder, signal });
  if (signal.aborted) throw new Failure("stopped: nothing was created", { code: 130 });
  if (code !== 0) {
    throw new Failure("sitewright new failed: nothing was created", {
      fix: "fix the error above, then run this again",
      code: code === 2 ? 2 : 1,
      output: text,
    });
  }
  const created = text.split("\n").filter((line) => line.startsWith("made ")).length;
  print(`Created ${created} files in ${folder}`);
}

/** The options of `sitewright new` that were chosen. */
function optionWords({ preset, name, languages, look }) {
  const chosen = { preset, name, languages, look };
  return Object.entries(chosen).flatMap(([option, value]) =>
    value === undefined ? [] : [`--${option}`, value],
  );
}

function flags(wanted, before) {
  const words = optionWords(wanted).map(quoted).join(" ");
  return words === "" ? "" : `${before}${words}`;
}

/** What to do next, in three lines. */
function nextSteps(wanted, folder, { name }) {
  const script = (word) => `${name} run ${word}`;
  const path = relative(process.cwd(), folder);
  const here = path === "" ? "" : `cd ${quoted(path.startsWith("..") ? folder : path)}`;
  const steps = [
    [script("dev"), "write, and see it at http://localhost:8000"],
    [script("start"), "serve it; the panel is at /admin"],
    [script("build"), "export plain files to dist/"],
  ];
  const shown = wanted.install
    ? steps
    : [
        [`${name} install`, "install sitewright"],
        [`npx sitewright new .${flags(wanted, " ")}`, "write the site"],
        steps[0],
      ];
  const width = Math.max(...shown.map(([command]) => command.length));
  return [
    "",
    here === "" ? "Next:" : `Next, after ${here}:`,
    ...shown.map(([command, what]) => `  ${command.padEnd(width)}  ${what}`),
  ];
}

/** The word, quoted if a shell needs it. */
function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
