import assert from "node:assert/strict";
import { filesOf, textOf } from "../support/repository.js";

/** Words of the project's early days, and the field's words for them. */
const RETIRED: readonly (readonly [retired: RegExp, instead: string])[] = [
  [/\banew\b/i, "again"],
  [/\bmend(?:s|ed|ing)?\b(?!\()/i, "fix"],
  [/\bwhoever\b/i, "the caller, the user, the client"],
  [/\bsomebody\b/i, "a user, another process"],
  [/\bnobody\b/i, "no user, no process"],
  [/\bof the house\b/i, "first-party, built-in"],
  [/\bwho (?:says|asks|may)\b/i, "the user, visitors with access"],
  [/\b(?:is|are|was|were|be) told\b|\btold of\b/i, "is notified, is reported"],
  [/\bhears (?:of|about)\b/i, "is notified of"],
  [/\bonce more\b/i, "again"],
  [/\b(?:that|which) (?:is|are) none\b|\bthere is none\b/i, "invalid, missing"],
  [/\b(?:MOST|LONGEST|DEEPEST)_[A-Z]+/, "MAX_…"],
  [/\((?:specification|decisions)\b/i, "the rule itself"],
  [
    /\b(?:it|describe)\(\s*["'`][A-Z]{1,4}\d{1,3}[a-z]?(?:, [A-Z]{1,4}\d{1,3}[a-z]?)*: /,
    "the behaviour",
  ],
];

/** Where one of the words is right. */
const EXCEPTIONS: readonly (readonly [file: RegExp, why: string])[] = [
  [/^test\/architecture\/words\.test\.ts$/, "the list itself"],
  [/^scripts\/services\/(?:server-account|postgres)\.ts$/, "a user of Unix is called nobody"],
  [/^test\/kernel\/cli\/plugin-commands\.test\.ts$/, "a plugin that does not exist"],
  [
    /^test\/plugins\/(?:packages\/commands\/lockfile|webhooks\/(?:commands\/send-delivery|index)|tracing\/index)\.test\.ts$/,
    "names that do not exist",
  ],
  [/^test\/support\/servers\/oauth-stand-ins\.ts$/, "an account without id"],
];

/** Words that no file and no export is named after; parts of a name count. */
const RETIRED_NAMES: ReadonlySet<string> = new Set([
  "held",
  "kept",
  "known",
  "made",
  "forget",
  "house",
  "houses",
  "door",
  "doors",
  "asked",
  "asker",
  "soon",
  "flight",
  "flights",
  "anew",
  "alone",
  "mend",
  "whoever",
  "nobody",
  "told",
  "outing",
  "lane",
  "lanes",
]);

/** Names that are the field's own although they contain one of those words. */
const NAME_EXCEPTIONS: readonly string[] = ["single-flight", "SingleFlight"];

const sources = (): string[] =>
  filesOf("{kernel,plugins,themes}/**/*.{ts,tsx}").filter((file) => !file.includes("/scaffold/"));

describe("the words of the project", () => {
  it("are the field's own", () => {
    const found = texts().flatMap((file) =>
      textOf(file)
        .split("\n")
        .flatMap((line, index) =>
          RETIRED.filter(([retired]) => retired.test(line)).map(
            ([, instead]) => `${file}:${index + 1} ${line.trim().slice(0, 100)} (use: ${instead})`,
          ),
        ),
    );
    assert.deepEqual(found, []);
  });

  it("are the field's own in names of files and exports", () => {
    const sources = filesOf("{kernel,plugins,themes,scripts,bench,test}/**/*.{ts,tsx,mjs}");
    const found = sources.flatMap((file) =>
      [baseName(file), ...exportsOf(textOf(file))]
        .filter((name) => !NAME_EXCEPTIONS.includes(name))
        .filter((name) => wordsOf(name).some((word) => RETIRED_NAMES.has(word)))
        .map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(found, []);
  });

  it("are snake case in log events: plugin.event_name", () => {
    const event = /\blog(?:ger)?\??\.(?:debug|info|warn|error)\(\s*"([^"]*)"/g;
    const found = sources().flatMap((file) =>
      [...textOf(file).matchAll(event)]
        .map(([, name = ""]) => name)
        .filter((name) => !/^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?$/.test(name))
        .map((name) => `${file}: ${name}`),
    );
    assert.deepEqual(found, []);
  });

  it("are upper case in constants that are a number or a text", () => {
    const constant = /^(?:export )?const ([a-z]\w*) = (?:-?[\d_.x]+(?: \* [\d_]+)*|"[^"]*");$/gm;
    const found = sources().flatMap((file) =>
      [...textOf(file).matchAll(constant)].map(([, name]) => `${file}: ${name}`),
    );
    assert.deepEqual(found, []);
  });

  it("have exceptions that are needed", () => {
    const files = texts(() => true);
    for (const [pattern, why] of EXCEPTIONS) {
      const hits = files.filter((file) => pattern.test(file));
      const isNeeded = hits.some((file) => RETIRED.some(([retired]) => retired.test(textOf(file))));
      assert.ok(isNeeded, `${pattern} (${why}) has nothing to except`);
    }
  });
});

function texts(isIncluded = (file: string) => !EXCEPTIONS.some(([one]) => one.test(file))) {
  return filesOf(
    "{kernel,plugins,themes,scripts,bench,test}/**/*.{ts,tsx,mjs,css,md,json}",
    "content/**/*.{md,mdx}",
    "*.md",
  ).filter(isIncluded);
}

function baseName(file: string): string {
  return (file.split("/").at(-1) ?? "").replace(/(?:\.test)?\.\w+$/, "");
}

function exportsOf(text: string): string[] {
  const declaration =
    /^export (?:declare )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
  return [...text.matchAll(declaration)].map((found) => found[1] ?? "");
}

/** `heldAnswers` and `held-answers` are the words held and answers. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
