// `npm run mutants -- plugins/search [--count=20] [--from=FILE] [--to=FILE]`: changes one place of a room at a
// time, as a mistake would, runs the quick tests of the room, and reports which changes no test notices.
// `--to` writes the list with its results; `--from` takes the places of such a list, so that the tests before
// and after a change of theirs are compared on the same mistakes. Works on the files themselves: run it in a
// checkout without other work; every file is restored.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { globSync } from "tinyglobby";
import ts from "typescript";
import { quickFiles } from "./testing/plan-runs.mjs";

/** The kinds of mistakes. */
const KINDS = ["comparison", "guard", "off by one", "key", "order"] as const;
type Kind = (typeof KINDS)[number];

/** One changed place: `from` is replaced with `to` at the offset `at` of the file. */
interface Mutant {
  file: string;
  kind: Kind;
  at: number;
  from: string;
  to: string;
  /** Absent before its tests have run. */
  isCaught?: boolean;
}

const root = fileURLToPath(new URL("..", import.meta.url));
const COMPARISONS: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
};
/** Longest time of one test run, in ms: a mistake may loop. */
const LIMIT_MS = 180_000;

main();

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { count: { type: "string" }, from: { type: "string" }, to: { type: "string" } },
  });
  const mutants = positionals.flatMap((room) => {
    const chosen =
      values.from === undefined
        ? chooseMutants(room, Number(values.count ?? 20))
        : readList(values.from).filter(({ file }) => file.startsWith(`${room}/`));
    return runRoom(room, chosen);
  });
  if (values.to !== undefined) writeFileSync(values.to, `${JSON.stringify(mutants, null, 2)}\n`);
  const missed = mutants.filter(({ isCaught }) => isCaught !== true);
  for (const { file, kind, at, from, to } of missed) {
    const line = readFileSync(join(root, file), "utf8").slice(0, at).split("\n").length;
    console.log(`missed: ${file}:${line} (${kind}) ${shorten(from)} → ${shorten(to)}`);
  }
  console.log(`${mutants.length - missed.length} of ${mutants.length} caught`);
}

function readList(file: string): Mutant[] {
  return JSON.parse(readFileSync(file, "utf8")) as Mutant[];
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 60)}…` : line || "nothing";
}

/** Places of the room, the same in each run, of all kinds in turn and of as many files as possible. */
function chooseMutants(room: string, count: number): Mutant[] {
  const files = globSync(`${room}/**/*.ts`, { cwd: root })
    .filter((file) => !/(?:^|\/)(?:contract|errors|settings)(?:\.ts|\/)|\/client\//.test(file))
    .sort();
  const places = files.flatMap(placesIn);
  const byKind = KINDS.map((kind) =>
    places
      .filter((place) => place.kind === kind)
      .map((place) => ({ place, rank: rankOf(place) }))
      .sort((a, b) => (a.rank < b.rank ? -1 : 1))
      .map(({ place }) => place),
  );
  const chosen: Mutant[] = [];
  while (chosen.length < count && byKind.some((list) => list.length > 0)) {
    for (const list of byKind) {
      const next = list.shift();
      if (next !== undefined && chosen.length < count) chosen.push(next);
    }
  }
  return chosen;
}

function rankOf({ file, from, to }: Mutant): string {
  return createHash("sha1").update(`${file}\0${from}\0${to}`).digest("hex");
}

function placesIn(file: string): Mutant[] {
  const text = readFileSync(join(root, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const places: Mutant[] = [];
  const add = (kind: Kind, node: ts.Node, to: string): void => {
    const at = node.getStart(source);
    places.push({ file, kind, at, from: text.slice(at, node.end), to });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node)) {
      const turned = COMPARISONS[node.operatorToken.getText(source)];
      if (turned !== undefined) add("comparison", node.operatorToken, turned);
    }
    if (ts.isIfStatement(node) && node.elseStatement === undefined && leaves(node.thenStatement)) {
      add("guard", node, "");
    }
    const isCount = ts.isNumericLiteral(node) && Number(node.text) <= 10;
    if (isCount && !ts.isEnumMember(node.parent)) {
      add("off by one", node, String(Number(node.text) + 1));
    }
    // A key of an object, or a word that is passed on: not the name of a module.
    if (ts.isStringLiteral(node) && /^[a-z][A-Za-z_-]*$/.test(node.text) && isValue(node)) {
      add("key", node, JSON.stringify(`${node.text}_`));
    }
    if (ts.isCallExpression(node) && node.arguments.length >= 2) {
      const [first, second] = node.arguments;
      if (
        first !== undefined &&
        second !== undefined &&
        ![first, second].some(ts.isSpreadElement)
      ) {
        const at = first.getStart(source);
        const between = text.slice(first.end, second.getStart(source));
        const to = `${second.getText(source)}${between}${first.getText(source)}`;
        places.push({ file, kind: "order", at, from: text.slice(at, second.end), to });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return places;
}

function leaves(node: ts.Statement): boolean {
  const last = ts.isBlock(node) ? node.statements.at(-1) : node;
  return (
    last !== undefined &&
    (ts.isReturnStatement(last) || ts.isThrowStatement(last) || ts.isContinueStatement(last))
  );
}

function isValue({ parent }: ts.StringLiteral): boolean {
  return (
    ts.isCallExpression(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isElementAccessExpression(parent) ||
    ts.isBinaryExpression(parent)
  );
}

/** Runs the tests of the room on each mistake; the tests must pass without one. */
function runRoom(room: string, mutants: readonly Mutant[]): Mutant[] {
  const specs = globSync([`test/${room}/**/*.test.ts`, `test/${room}.test.ts`], { cwd: root });
  const tests = quickFiles(root, specs);
  if (!passes(tests))
    throw new Error(`the tests of ${room} fail without a mistake: fix them first`);
  return mutants.map((mutant, index) => {
    const path = join(root, mutant.file);
    const text = readFileSync(path, "utf8");
    const { at, from, to } = mutant;
    if (text.slice(at, at + from.length) !== from) {
      throw new Error(`${mutant.file} is not the file of the list: ${shorten(from)} is gone`);
    }
    writeFileSync(path, text.slice(0, at) + to + text.slice(at + from.length));
    try {
      const isCaught = !passes(tests);
      const state = isCaught ? "caught" : "missed";
      console.log(`${index + 1}/${mutants.length} ${state} ${mutant.file} (${mutant.kind})`);
      return { ...mutant, isCaught };
    } finally {
      writeFileSync(path, text);
    }
  });
}

function passes(tests: readonly string[]): boolean {
  const { status } = spawnSync(process.execPath, ["scripts/test.mjs", ...tests, "--bail"], {
    cwd: root,
    stdio: "ignore",
    timeout: LIMIT_MS,
  });
  return status === 0;
}
