/** The problems of the content: each is logged when it appears and when it is fixed. */
import { join } from "node:path";
import { closeSync, openSync, readSync } from "node:fs";
import {
  type SiteContext,
  expectEach,
  expectFields,
  expectKind,
  type ExtensionList,
  type Extensions,
} from "#kernel";
import type { ContentAddresses, ContentProblem } from "../contract.js";
import { findFix } from "../errors.js";
import { findFrontMatter } from "../read/front-matter/fences.js";

/**
 * Wait in ms before the problems of a change are looked for: every page is compared with routes and
 * redirects, which is 30 ms of CPU for 100,000 pages. Changes meanwhile share one search.
 */
const WAIT_MS = 200;
const problem = expectFields({
  sourcePath: ["string"],
  severity: (severity) =>
    severity === "error" || severity === "warning"
      ? null
      : `expected "error" or "warning", received ${JSON.stringify(severity) ?? "nothing"}`,
  code: ["string"],
  message: ["string"],
  line: ["number", "nothing"],
  key: ["string", "nothing"],
  value: ["string", "nothing"],
  fix: ["string", "nothing"],
});
/** Maximum of problems to locate per update or list, because it reads files synchronously. */
const MAX_LOCATED = 200;

interface OpenProblem {
  problem: ContentProblem;
  /** The problem as it was logged. */
  logged: ContentProblem;
}

/** The current problems and those already logged. */
export class ProblemLog {
  readonly #site: Pick<SiteContext, "log" | "paths">;
  readonly #addresses: ContentAddresses;
  readonly #plugins: ExtensionList<Extensions["pluginProblems"]>;
  #open: ReadonlyMap<string, OpenProblem> = new Map();
  #last: readonly ContentProblem[] | null = null;
  #find: (() => readonly ContentProblem[]) | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    site: Pick<SiteContext, "extensions" | "log" | "paths">,
    addresses: ContentAddresses,
  ) {
    this.#site = site;
    this.#plugins = site.extensions.open("pluginProblems", {
      check: expectKind("function"),
      result: expectEach(problem),
    });
    this.#addresses = addresses;
  }

  /** The current problems; the first ones with line and key where known. */
  list(): readonly ContentProblem[] {
    this.catchUp();
    const open = [...this.#open.values()].map(({ problem }, index) =>
      index < MAX_LOCATED ? this.#locate(problem) : problem,
    );
    const others = this.#plugins.each((find) => find()).flat();
    return [...open, ...others.map((problem) => ({ ...problem, isInRoot: true }) as const)];
  }

  /** Takes the problems of a new generation soon; see `WAIT_MS`. */
  later(find: () => readonly ContentProblem[]): void {
    this.#find = find;
    this.#timer ??= setTimeout(() => this.catchUp(), WAIT_MS).unref();
  }

  /** Takes the problems that wait, at once. */
  catchUp(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const find = this.#find;
    [this.#timer, this.#find] = [null, null];
    if (find !== null) this.update(find());
  }

  /** Takes the problems of a new generation and logs the differences. */
  update(problems: readonly ContentProblem[]): void {
    if (problems === this.#last) return;
    this.#last = problems;
    const before = this.#open;
    const now = new Map<string, OpenProblem>();
    let located = 0;
    for (const problem of problems) {
      // Without the line: a problem that moves within its file is the same one.
      const id = JSON.stringify([problem.sourcePath, problem.code, problem.message]);
      if (now.has(id)) continue;
      const open = before.get(id);
      if (open !== undefined) now.set(id, { ...open, problem });
      else {
        located += 1;
        const logged = located > MAX_LOCATED ? problem : this.#locate(problem);
        now.set(id, { problem, logged });
        this.#logOpened(logged);
      }
    }
    this.#open = now;
    for (const [id, { logged }] of before) if (!now.has(id)) this.#logFixed(logged);
  }

  #locate(problem: ContentProblem): ContentProblem {
    const fix = findFix(problem.code);
    const { root, content } = this.#site.paths;
    const folder = problem.isInRoot === true ? root : content;
    const located = locateProblem(problem, join(folder, problem.sourcePath));
    return fix === undefined ? located : { ...located, fix };
  }

  #logOpened(problem: ContentProblem): void {
    const { log } = this.#site;
    const fields = { ...this.#fields(problem), message: problem.message, fix: problem.fix };
    if (problem.severity === "error") log.error("content.problem", fields);
    else log.warn("content.problem", fields);
  }

  #logFixed(problem: ContentProblem): void {
    this.#site.log.info("content.problem_fixed", this.#fields(problem));
  }

  #fields({ sourcePath, isInRoot, code, line, key }: ContentProblem): Record<string, unknown> {
    return {
      file: isInRoot === true ? sourcePath : this.#addresses.fromRoot(sourcePath),
      ...(line !== undefined && { line }),
      ...(key !== undefined && { key }),
      code,
    };
  }
}

/** Front matter is no longer than this, in bytes. */
const READ_BYTES = 64 * 1024;
const KEY = /^(?:"([^"]+)"|'([^']+)'|([\w.-]+))\s*[:=]/;

/** The problem with line and key, as far as the front matter of `file`, or a file of the site root, names them. */
export function locateProblem(problem: ContentProblem, file: string): ContentProblem {
  const { line, key } = problem;
  if ((line === undefined) === (key === undefined)) return problem;
  const lines = problem.isInRoot === true ? headLines(readHead(file)) : frontMatterLines(file);
  if (key !== undefined) {
    const index = lines.findIndex((text) => readKey(text) === key);
    return index === -1 ? problem : { ...problem, line: index + 1 };
  }
  const above = lines.slice(0, line).findLast((text) => readKey(text) !== undefined);
  const parentKey = above === undefined ? undefined : readKey(above);
  return parentKey === undefined ? problem : { ...problem, key: parentKey };
}

function readKey(line: string): string | undefined {
  const match = KEY.exec(line);
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

/** The lines of the file up to the end of its front matter; empty without readable front matter. */
function frontMatterLines(file: string): string[] {
  const head = readHead(file);
  const range = findFrontMatter(head);
  if (range === null) return [];
  return headLines(head.subarray(0, "isUnclosed" in range ? head.length : range.end));
}

function headLines(bytes: Buffer): string[] {
  return bytes.toString("utf8").split(/\r?\n/);
}

function readHead(file: string): Buffer {
  try {
    const handle = openSync(file, "r");
    try {
      const buffer = Buffer.alloc(READ_BYTES);
      return buffer.subarray(0, readSync(handle, buffer, 0, READ_BYTES, 0));
    } finally {
      closeSync(handle);
    }
  } catch {
    return Buffer.alloc(0);
  }
}
