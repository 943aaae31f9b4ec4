/** The write path: each change is checked, written atomically, and told to the index. */
import { KeyedLock } from "#kernel";
import { DiskFiles, DryFiles, type ChangeFiles } from "./change-files.js";
import type {
  AppliedChange,
  ApplyOptions,
  ContentChange,
  ContentChangeResult,
} from "./contract.js";
import type { ContentErrorCode } from "./errors.js";
import { parseYamlMap } from "./full-yaml.js";
import { parseRoles } from "./gating.js";
import { patchFile } from "./patch-front-matter.js";
import { errorCode } from "./read-source.js";
import { RecordedFiles } from "./recorded-files.js";
import { nameOf, parseFileName } from "./source-name.js";
import { linkIssue, pathIssue } from "./source-path.js";
import { digest, maxPageBytes, toSourceRecord } from "./source-record.js";
import type { TreeRules } from "./walk.js";

/** What applying needs. */
export interface ApplyDeps {
  rules(): TreeRules;
  /** Brings the index up to date with these paths; page hooks fire after that. */
  refresh(paths: readonly string[]): Promise<void>;
  /** Told what was written, before the index is brought up to date. */
  applied?(changes: readonly AppliedChange[], options: ApplyOptions): void;
}

type Outcome = Omit<ContentChangeResult, "op" | "path" | "errors">;

/** A change that cannot be made; the others of its batch still are. */
class Refusal extends Error {
  readonly code: ContentErrorCode;
  readonly hash: string | undefined;

  constructor(code: ContentErrorCode, message: string, hash?: string) {
    super(message);
    this.code = code;
    this.hash = hash;
  }
}

/** Applies changes, in order; the same path never by two at a time. */
export class ContentWriter {
  readonly #deps: ApplyDeps;
  readonly #lock = new KeyedLock();

  constructor(deps: ApplyDeps) {
    this.#deps = deps;
  }

  async apply(
    changes: readonly ContentChange[],
    options: ApplyOptions,
  ): Promise<ContentChangeResult[]> {
    const disk = new DiskFiles(this.#deps.rules().root);
    const recorded = new RecordedFiles(disk);
    const files = options.dryRun === true ? new DryFiles(disk) : recorded;
    const results: ContentChangeResult[] = [];
    for (const change of changes) results.push(await this.#applyOne(change, files));
    const touched = changes.filter((_, at) => isWritten(results[at])).flatMap(pathsOf);
    if (options.dryRun !== true && touched.length > 0) {
      this.#deps.applied?.(recorded.changes, options);
      await this.#deps.refresh(touched);
    }
    return results;
  }

  async #applyOne(change: ContentChange, files: ChangeFiles): Promise<ContentChangeResult> {
    const { op, path } = change;
    try {
      // Moves exclude each other and everything on their paths; sorted, so that two cannot wait for each other.
      const [first = path, second = first] = pathsOf(change).sort();
      const outcome = await this.#lock.run(first, () =>
        second === first
          ? this.#perform(change, files)
          : this.#lock.run(second, () => this.#perform(change, files)),
      );
      return { op, path, errors: [], ...outcome };
    } catch (error) {
      return { op, path, status: "error", ...failure(error) };
    }
  }

  async #perform(change: ContentChange, files: ChangeFiles): Promise<Outcome> {
    for (const path of pathsOf(change)) await this.#checkPath(path);
    switch (change.op) {
      case "write":
        return this.#write(change, Buffer.from(change.content), files);
      case "frontmatter":
        return this.#write(change, await patched(change, files), files);
      case "delete":
        return remove(change.path, files);
      case "move":
        return move(change, files);
    }
  }

  async #checkPath(path: string): Promise<void> {
    const rules = this.#deps.rules();
    const issue = pathIssue(path, rules) ?? (await linkIssue(path, rules));
    if (issue !== null) throw new Refusal("ERR_CONTENT_PATH", issue);
  }

  async #write(
    { path, ifHash }: { path: string; ifHash?: string },
    bytes: Buffer,
    files: ChangeFiles,
  ): Promise<Outcome> {
    if ((await files.kind(path)) === "folder") {
      throw new Refusal(
        "ERR_CONTENT_PATH",
        `path ${JSON.stringify(path)} is a folder; name a file in it`,
      );
    }
    const before = await files.read(path);
    checkHash(path, before, ifHash);
    this.#validate(path, bytes);
    const hash = digest(bytes);
    if (before?.equals(bytes) === true) return { status: "skipped", hash };
    await files.write(path, bytes);
    return { status: before === null ? "created" : "updated", hash };
  }

  /** Whatever the index would leave out is refused. */
  #validate(path: string, bytes: Buffer): void {
    if (path.endsWith(".meta.yaml")) {
      const result = parseYamlMap(bytes.toString("utf8"));
      if ("issue" in result) throw new Refusal("ERR_CONTENT_SIDECAR", result.issue.message);
    }
    if (parseFileName(nameOf(path), this.#deps.rules()) === null) return;
    if (bytes.length > maxPageBytes) {
      const message = `the page has ${bytes.length} bytes, at most ${maxPageBytes} are allowed`;
      throw new Refusal("ERR_CONTENT_SIZE", message);
    }
    const record = toSourceRecord({ sourcePath: path, mtimeMs: 0, size: bytes.length }, bytes);
    const issue = record.error ?? record.warnings[0] ?? null;
    if (issue !== null) throw new Refusal(issue.code, atLine(issue));
    if (parseRoles(record.frontmatter.roles) === "invalid") {
      throw new Refusal(
        "ERR_CONTENT_ROLES",
        "roles must be a role, a list, {any: […]} or {all: […]}",
      );
    }
  }
}

function isWritten(result: ContentChangeResult | undefined): boolean {
  return result !== undefined && result.status !== "error" && result.status !== "skipped";
}

function pathsOf(change: ContentChange): string[] {
  return change.op === "move" ? [change.path, change.to] : [change.path];
}

function checkHash(path: string, before: Buffer | null, ifHash: string | undefined): void {
  if (ifHash === undefined) return;
  const standing = before === null ? undefined : digest(before);
  if (standing === ifHash) return;
  const message = `${JSON.stringify(path)} has changed since it was read; merge and save again`;
  throw new Refusal("ERR_CONTENT_CONFLICT", message, standing);
}

async function patched(
  { path, patch }: Extract<ContentChange, { op: "frontmatter" }>,
  files: ChangeFiles,
): Promise<Buffer> {
  const before = (await files.kind(path)) === "file" ? await files.read(path) : null;
  const result = patchFile(path, before ?? Buffer.alloc(0), patch);
  if ("error" in result) throw new Refusal("ERR_CONTENT_PATCH", result.error);
  return result.bytes;
}

async function remove(path: string, files: ChangeFiles): Promise<Outcome> {
  const kind = await files.kind(path);
  if (kind === "none")
    throw new Refusal("ERR_CONTENT_MISSING", `there is no file ${JSON.stringify(path)}`);
  if (kind === "folder") {
    throw new Refusal(
      "ERR_CONTENT_PATH",
      `path ${JSON.stringify(path)} is a folder; delete its files`,
    );
  }
  await files.remove(path);
  return { status: "deleted" };
}

async function move(
  { path, to }: { path: string; to: string },
  files: ChangeFiles,
): Promise<Outcome> {
  if ((await files.kind(path)) === "none") {
    throw new Refusal("ERR_CONTENT_MISSING", `there is no file or folder ${JSON.stringify(path)}`);
  }
  if (path === to) return { status: "skipped" };
  if (to.startsWith(`${path}/`)) {
    throw new Refusal("ERR_CONTENT_PATH", `${JSON.stringify(path)} cannot be moved into itself`);
  }
  if ((await files.kind(to)) !== "none") {
    throw new Refusal(
      "ERR_CONTENT_EXISTS",
      `there is ${JSON.stringify(to)} already; choose another path`,
    );
  }
  await files.move(path, to);
  return { status: "moved" };
}

function failure(error: unknown): Pick<ContentChangeResult, "errors" | "code" | "hash"> {
  if (error instanceof Refusal) {
    const { code, message, hash } = error;
    return { errors: [message], code, ...(hash !== undefined && { hash }) };
  }
  // The disk's own message names paths of this machine.
  const message = `the file could not be written (${errorCode(error)}); check permissions and free space`;
  return { errors: [message], code: "ERR_CONTENT_WRITE" };
}

function atLine({ message, line }: { message: string; line?: number }): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}
