/**
 * Makes a folder, installs Sitewright in it, and lets the installed `sitewright new` write the site. It has no
 * templates and no dependencies: `npm create` downloads two files, and the site matches the installed version.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

/** What `sitewright new` offers, the default first. A test compares it with the program. */
export const PRESETS = {
  site: "pages with navigation, and a list of articles",
  docs: "documentation with a sidebar",
  blog: "articles with authors, terms and an archive",
  portfolio: "projects with pictures",
};
export const LOOKS = {
  paper: "warm and calm",
  slate: "cool and dense",
  book: "a serif in a narrow column",
  poster: "black and white, large headings",
};

const HELP = `npm create sitewright@latest [folder] [-- options]

  --preset <name>      ${Object.keys(PRESETS).join(", ")}; default: site
  --name <title>       title of the site; default: the name of the folder
  --languages <codes>  languages, the default first, such as en,de; default: en
  --look <name>        ${Object.keys(LOOKS).join(", ")}; default: paper
  --no-install         only write package.json
  --package <what>     install this version or tarball of sitewright
  -y, --yes            ask nothing
  -h, --help           show this
  --version            show the version
`;

/** A failure that is printed as it is: what happened, then what to do. */
class Failure extends Error {
  constructor(message, { fix = "", code = 1, output = "" } = {}) {
    super(message);
    Object.assign(this, { fix, code, output });
  }
}

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
    const wanted = isAsking ? await ask(given, { input, output }) : given;
    await create(withDefaults(wanted), { version, print });
    return 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.output !== "") process.stderr.write(`${error.output.trimEnd()}\n\n`);
    if (error.message !== "") process.stderr.write(`create-sitewright: ${error.message}\n`);
    if (error.fix !== "") process.stderr.write(`  fix: ${error.fix}\n`);
    return error.code;
  }
}

function readOptions(words) {
  const { values, positionals } = parse(words);
  const { preset, look, languages, name, install = true, ...rest } = values;
  if (positionals.length > 1) {
    throw new Failure(`one folder is expected, not ${JSON.stringify(positionals)}`, {
      fix: "put quotes around a name with spaces",
      code: 2,
    });
  }
  for (const [option, value, choices] of [
    ["--preset", preset, PRESETS],
    ["--look", look, LOOKS],
  ]) {
    if (value !== undefined && !Object.hasOwn(choices, value)) {
      const fix = `use ${Object.keys(choices).join(", ")}`;
      throw new Failure(`${option} is ${JSON.stringify(value)}`, { fix, code: 2 });
    }
  }
  if (languages !== undefined) checkLanguages(languages);
  return { folder: positionals[0], preset, look, languages, name, install, ...rest };
}

function parse(words) {
  const text = { type: "string" };
  const flag = { type: "boolean" };
  const options = {
    preset: text,
    name: text,
    languages: text,
    look: text,
    package: text,
    yes: { ...flag, short: "y" },
    help: { ...flag, short: "h" },
    version: flag,
    install: flag,
  };
  try {
    return parseArgs({ args: words, options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    throw new Failure(error.message.split("\n")[0], { fix: "see --help", code: 2 });
  }
}

function checkLanguages(languages) {
  const codes = languages.split(/[\s,]+/);
  const isCode = (code, at) =>
    /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(code) && codes.indexOf(code) === at;
  if (codes.every(isCode)) return;
  throw new Failure(`--languages is ${JSON.stringify(languages)}`, {
    fix: "use different codes with commas between them, the default first, such as en,pt-BR",
    code: 2,
  });
}

function withDefaults({ folder = "my-site", ...rest }) {
  return { folder, ...rest };
}

/** Asks for what no option says. Ctrl+C and a closed input end it, and nothing is written. */
async function ask(given, { input, output }) {
  const lines = createInterface({ input, output });
  const closed = new Promise((_, reject) => {
    lines.once("close", () => reject(new Failure("", { code: 130 })));
  });
  const question = (label, fallback) =>
    Promise.race([
      new Promise((done) =>
        lines.question(`${label} (${fallback}): `, (answer) => done(answer.trim() || fallback)),
      ),
      closed,
    ]);
  const valid = async (label, fallback, check) => {
    for (;;) {
      const answer = await question(label, fallback);
      try {
        return check(answer);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        output.write(`${error.message}: ${error.fix}\n`);
      }
    }
  };
  const choice = (label, choices) => {
    const names = Object.keys(choices);
    const width = Math.max(...names.map(({ length }) => length));
    output.write(`${label}:\n`);
    for (const [at, name] of names.entries()) {
      output.write(`  ${at + 1} ${name.padEnd(width)}  ${choices[name]}\n`);
    }
    return valid("Number or name", names[0], (answer) => {
      const name = names[Number(answer) - 1] ?? answer;
      if (names.includes(name)) return name;
      throw new Failure(JSON.stringify(answer), { fix: `use 1 to ${names.length}` });
    });
  };
  try {
    const folder =
      given.folder ?? (await valid("Folder", "my-site", (answer) => (assertEmpty(answer), answer)));
    assertEmpty(folder);
    const preset = given.preset ?? (await choice("What is it for?", PRESETS));
    const name = given.name ?? (await question("Title", basename(resolve(folder))));
    const languages =
      given.languages ??
      (await valid("Languages", "en", (answer) => (checkLanguages(answer), answer)));
    const look = given.look ?? (await choice("Look", LOOKS));
    return { ...given, folder, preset, name, languages, look };
  } finally {
    closed.catch(() => {});
    lines.close();
  }
}

/** What may be in the folder before: `git init`, settings and a lock file of the package manager. */
const BEFORE = [
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
  const present = isFolder ? readdirSync(path).filter((name) => !BEFORE.includes(name)) : [];
  if (isFolder && present.length === 0) return;
  const why = isFolder ? `is not empty (${present.slice(0, 3).join(", ")})` : "is a file";
  throw new Failure(`${JSON.stringify(folder)} ${why}`, {
    fix: "choose a folder that is empty or does not exist",
    code: 2,
  });
}

/** Makes the site. After a failure the folder is as it was before. */
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
      await install(folder, manager, wanted, stop.signal);
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

/** Returns a function that removes everything that was not there. */
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

/** A version is taken as it is; the path of a tarball or a clone becomes one from the new folder. */
function writeManifest(folder, wanted, { name, isBerry }) {
  const isPath =
    /^(?:file:|[.~]?[\\/]|\.\.|[A-Za-z]:)|\.tgz$/.test(wanted) && !/^https?:/.test(wanted);
  const path = relative(folder, resolve(wanted.replace(/^file:/, "")));
  const sitewright = isPath ? `file:${path.split(sep).join("/")}` : wanted;
  const manifest = { private: true, type: "module", dependencies: { sitewright } };
  const options = { flag: "wx" };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`, options);
  // Plugins and themes of a site are found in node_modules.
  if (isBerry && !existsSync(join(folder, ".yarnrc.yml"))) {
    writeFileSync(join(folder, ".yarnrc.yml"), "nodeLinker: node-modules\n", options);
  }
  // A folder below another project would become a part of it.
  if (name === "yarn" && !existsSync(join(folder, "yarn.lock"))) {
    writeFileSync(join(folder, "yarn.lock"), "", options);
  }
}

/** The package manager that runs this, as npm, pnpm, yarn and bun say in `npm_config_user_agent`; default: npm. */
export function callingManager({ npm_config_user_agent: agent = "", npm_execpath: program = "" }) {
  const [, found = "npm", major = "0"] = /^(npm|pnpm|yarn|bun)\/(\d+)/.exec(agent) ?? [];
  const isBerry = found === "yarn" && Number(major) >= 2;
  // npm names itself here even when its `npx` runs this; the name has to match the agent.
  const isOwn = basename(program).startsWith(found === "npm" ? "npm-cli" : found);
  const isScript = /\.[cm]?js$/.test(program);
  const command = isOwn && isScript ? [process.execPath, program] : [found];
  return { name: found, isBerry, command };
}

/** @throws Failure with the output of the package manager, and what to do. */
async function install(folder, manager, wanted, signal) {
  const quiet = manager.name === "npm" ? ["--no-audit", "--no-fund", "--loglevel=error"] : [];
  const [program, ...words] = [...manager.command, "install", ...quiet];
  const { code, text } = await run(program, words, { folder, signal });
  if (signal.aborted) throw new Failure("stopped: nothing was made", { code: 130 });
  if (code === 0) return;
  const isOffline =
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|ERR_PNPM_NO_OFFLINE)/.exec(
      text,
    );
  const again = `npm create sitewright@latest ${quoted(wanted.folder)}${flags(wanted, " -- ")}`;
  throw new Failure(
    isOffline === null
      ? `${manager.name} install failed${code === null ? "" : ` with exit code ${code}`}: nothing was made`
      : `${manager.name} cannot reach its registry (${isOffline[1]}): nothing was made`,
    {
      fix:
        (isOffline === null
          ? "correct what is said above"
          : "check the connection, and the proxy and registry of its settings") +
        `, then run again: ${again}`,
      output: text,
    },
  );
}

/** Lets the installed version write the site. */
async function writeSite(folder, wanted, { print, signal }) {
  const bin = join(folder, "node_modules", "sitewright", "kernel", "cli", "bin.mjs");
  const words = [bin, "new", ".", ...optionWords(wanted)];
  const { code, text } = await run(process.execPath, words, { folder, signal });
  if (signal.aborted) throw new Failure("stopped: nothing was made", { code: 130 });
  if (code !== 0) {
    throw new Failure("sitewright new failed: nothing was made", {
      fix: "correct what is said above, then run this again",
      code: code === 2 ? 2 : 1,
      output: text,
    });
  }
  const made = text.split("\n").filter((line) => line.startsWith("made ")).length;
  print(`Made ${made} files in ${folder}`);
}

/** Runs a program in the folder; resolves with its exit code, null when it could not start, and its output. */
function run(program, words, { folder, signal }) {
  return new Promise((done) => {
    let text = "";
    const take = (bytes) => {
      text += bytes;
    };
    const isBatch = process.platform === "win32" && program !== process.execPath;
    const options = { cwd: folder, env: { ...process.env, NO_COLOR: "1" }, shell: isBatch };
    const child = spawn(program, words, { ...options, stdio: ["ignore", "pipe", "pipe"], signal });
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    child.once("error", (error) => {
      take(`${program}: ${error.message}\n`);
      if (child.pid === undefined) done({ code: null, text });
    });
    child.once("close", (code) => done({ code, text }));
  });
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

/** Quotes for a shell where it needs them. */
function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
