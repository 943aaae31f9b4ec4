/** What the site is to be: options of the command line, and questions for what they leave open. */
import { basename, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { Failure } from "./failure.mjs";

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

export const HELP = `npm create sitewright@latest [folder] [-- options]

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

/** @throws Failure with exit code 2 for an invalid option. */
export function readOptions(words) {
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

/**
 * Asks for what no option sets. `checkFolder` throws a Failure for a folder that cannot be used.
 * @throws Failure with exit code 130 on Ctrl+C or when the input ends.
 */
export async function ask(given, { input, output, checkFolder }) {
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
      given.folder ?? (await valid("Folder", "my-site", (answer) => (checkFolder(answer), answer)));
    checkFolder(folder);
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
