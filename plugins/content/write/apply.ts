/** The write path: checks each change, writes it atomically and updates the index. */
import { isUtf8 } from "node:buffer";
import type { ContentRules } from "../index/store-options.js";
import type {
  ApplyOptions,
  ContentChange,
  ContentChangeResult,
  PageEntry,
  FieldViolation,
} from "../contract.js";
import { errorCode } from "../read/read-source.js";
import { audienceOf, isWider, deletionWidens, moveWidens } from "./audience.js";
import { firstPublication } from "../schedule/release.js";
import type { FileToCheck } from "../blueprints/page-checks.js";
import type { SiteBlueprints } from "../blueprints/site-blueprints.js";
import { parseYamlMap } from "../read/front-matter/full-yaml.js";
import { isSidecar, MAX_SIDECAR_BYTES } from "../read/media-listing.js";
import { mediaTexts } from "../read/front-matter/text-keys.js";
import { parseRoles } from "../index/gating.js";
import { nameOf, parseFileName } from "../read/source-name.js";
import { digest, MAX_PAGE_BYTES, toSourceRecord } from "../read/source-record.js";
import { DiskFiles, DryFiles, RecordedFiles } from "./change-files.js";
import { Refusal, linkIssue, pathIssue } from "./change-checks.js";
import type { WriteWork } from "../index/update-queues.js";
import {
  pageFolders,
  SERVER_RIGHTS,
  assertMayChange,
  assertMayDelete,
  assertMayMove,
  assertMayWiden,
  assertMayWriteAt,
  type RightsContext,
} from "./write-rights.js";
import { patchFile } from "./patch-front-matter.js";

/** What applying needs. */
export interface ApplyDeps {
  rules(): ContentRules;
  /** Unix ms. */
  now(): number;
  /** Queues the work; resolves when the index is up to date. */
  write(work: WriteWork): Promise<void>;
  /** Why a path may not be written; null: it may. */
  guard?(path: string): string | null;
  /** The page whose access rules apply to the media of a folder; null: public. */
  ownerOf?(folder: string): PageEntry | null;
  /** What does not fit the blueprint of a page. */
  violations?: PerformParts["violations"];
  /** The values that page types give to pages. */
  openValues?: PerformParts["openValues"];
  /** The values of a page's text as they are read. */
  valuesOf?: PerformParts["valuesOf"];
}

/** What all changes of a batch share. */
type OwnParts = Pick<PerformParts, "files" | "rights" | "folders" | "violations" | "valuesOf"> & {
  /** True: results have the texts before and after. */
  withTexts?: boolean;
};

/** Applies changes, one call at a time. */
export class ContentWriter {
  readonly #deps: ApplyDeps;

  constructor(deps: ApplyDeps) {
    this.#deps = deps;
  }

  async apply(
    changes: readonly ContentChange[],
    options: ApplyOptions,
  ): Promise<ContentChangeResult[]> {
    const disk = new DiskFiles(this.#deps.rules().root);
    const { violations, valuesOf } = this.#deps;
    const isChecked = violations !== undefined && options.validate !== false;
    const { rights = SERVER_RIGHTS, texts = false } = options;
    const folders = pageFolders(changes, this.#deps.rules());
    const parts = {
      rights,
      folders,
      ...(isChecked && { violations }),
      ...(valuesOf && { valuesOf }),
    };
    if (options.dryRun === true) {
      return this.#applyAll(changes, { files: new DryFiles(disk), withTexts: texts, ...parts });
    }
    let results: ContentChangeResult[] = [];
    await this.#deps.write(async () => {
      const files = new RecordedFiles(disk);
      results = await this.#applyAll(changes, { files, ...parts });
      const touched = changes.filter((_, at) => isWritten(results[at])).flatMap(pathsOf);
      if (touched.length === 0) return null;
      const { actor = null, message = "" } = options;
      const written = { touched, folders: [...files.folders], changes: files.changes };
      return { ...written, actor, message, release: () => files.release() };
    });
    return results;
  }

  async #applyAll(
    changes: readonly ContentChange[],
    parts: OwnParts,
  ): Promise<ContentChangeResult[]> {
    const results: ContentChangeResult[] = [];
    for (const change of changes) results.push(await this.#applyOne(change, parts));
    return results;
  }

  async #applyOne(change: ContentChange, parts: OwnParts): Promise<ContentChangeResult> {
    const { op, path } = change;
    try {
      const before = parts.withTexts === true ? await textOf(parts, path) : null;
      const outcome = await this.#perform(change, parts);
      const done: ContentChangeResult = { op, path, errors: [], ...outcome };
      if (parts.withTexts !== true) return done;
      return { ...done, texts: { before, after: await textOf(parts, path) } };
    } catch (error) {
      return { op, path, status: "error", ...failure(error) };
    }
  }

  async #perform(change: ContentChange, parts: OwnParts): Promise<Outcome> {
    const { rules, now, guard = () => null, ownerOf = () => null, openValues } = this.#deps;
    const reason = pathsOf(change)
      .map(guard)
      .find((found) => found !== null);
    if (typeof reason === "string") throw new Refusal("ERR_CONTENT_CONFLICT", reason);
    const rights = change.asServer === true ? SERVER_RIGHTS : parts.rights;
    const open = openValues === undefined ? {} : { openValues };
    const context = { ...parts, ...open, rights, rules: rules(), now: now(), ownerOf };
    return performChange(change, context);
  }
}

/** Null for a missing file, and for one that is not text. */
async function textOf({ files }: OwnParts, path: string): Promise<string | null> {
  if ((await files.kind(path)) !== "file") return null;
  const bytes = await files.read(path);
  return bytes === null || !isUtf8(bytes) ? null : bytes.toString("utf8");
}

function isWritten(result: ContentChangeResult | undefined): boolean {
  return result !== undefined && result.status !== "error" && result.status !== "skipped";
}

type Failure = Pick<ContentChangeResult, "errors" | "code" | "hash" | "validationErrors">;

function failure(error: unknown): Failure {
  if (error instanceof Refusal) {
    const { code, message, hash, violations } = error;
    return {
      errors: [message],
      code,
      ...(hash !== undefined && { hash }),
      ...(violations !== undefined && { validationErrors: violations }),
    };
  }
  // The system's message contains paths of this machine.
  const message = `the file could not be written (${errorCode(error)}); check permissions and free space`;
  return { errors: [message], code: "ERR_CONTENT_WRITE" };
}

// Validates and performs one change of the write path.

/** The dependencies of a change. */
interface PerformParts extends RightsContext {
  /** What does not fit the blueprint of a page; absent: pages are not checked. */
  violations?(file: FileToCheck): Promise<readonly FieldViolation[]>;
  /** The values that page types give to pages; absent: none. */
  openValues?: SiteBlueprints["openValues"];
  /** The values of a page's text as they are read; absent: only built-in keys are texts. */
  valuesOf?(path: string, text: string): Readonly<Record<string, unknown>>;
}
/** The result of a change. */
type Outcome = Omit<ContentChangeResult, "op" | "path" | "errors">;

/** The paths that a change touches. */
function pathsOf(change: ContentChange): string[] {
  return change.op === "move" ? [change.path, change.to] : [change.path];
}

/** Performs a change. @throws Refusal when it is rejected. */
async function performChange(change: ContentChange, parts: PerformParts): Promise<Outcome> {
  for (const path of pathsOf(change)) await checkPath(path, parts.rules);
  switch (change.op) {
    case "write":
      return write(change, () => contentOf(change, parts), parts);
    case "frontmatter":
      return write(change, (before) => merged(change, before ?? Buffer.alloc(0), parts), parts);
    case "delete":
      return remove(change, parts);
    case "move":
      return move(change, parts);
  }
}

async function checkPath(path: string, rules: ContentRules): Promise<void> {
  const issue = pathIssue(path, rules) ?? (await linkIssue(path, rules));
  if (issue !== null) throw new Refusal("ERR_CONTENT_PATH", issue);
}

async function write(
  change: {
    path: string;
    ifHash?: string;
    isNew?: boolean;
    fillsIn?: boolean;
    mayBeBroken?: boolean;
  },
  bytesAfter: (before: Buffer | null) => Buffer,
  parts: PerformParts,
): Promise<Outcome> {
  const { path, ifHash, isNew = false, fillsIn = false, mayBeBroken } = change;
  const { files, rules, now } = parts;
  const kind = await files.kind(path);
  assertMayWriteAt(path, { exists: kind !== "none", isNew }, parts);
  if (kind === "folder") {
    throw new Refusal(
      "ERR_CONTENT_PATH",
      `path ${JSON.stringify(path)} is a folder; name a file in it`,
    );
  }
  const before = await files.read(path);
  if (isNew && before !== null) {
    throw new Refusal("ERR_CONTENT_EXISTS", `${JSON.stringify(path)} already exists`);
  }
  if (kind === "none") await assertNoTwin(path, null, parts);
  const given = bytesAfter(before);
  const isLimited = parts.rights.fields !== null;
  if (!isLimited) assertMayChange(path, { before, after: given }, parts);
  checkHash(path, before, ifHash);
  // The author of some fields did not write what the page type adds.
  const bytes = fillsIn ? filledIn(path, { before, given }, parts) : given;
  const isPage = await checkPage({ path, bytes, before, mayBeBroken }, parts);
  // Fields can be compared only in valid front matter.
  if (isLimited) assertMayChange(path, { before, after: given }, parts);
  const hash = digest(bytes);
  if (before?.equals(bytes) === true) return { status: "skipped", hash };
  const standing = before === null ? null : audienceOf(path, before, rules);
  const publishes = isWider(standing, audienceOf(path, bytes, rules), now);
  assertMayWiden(path, publishes, parts);
  await assertUnchanged(path, before, parts);
  await files.write(path, bytes);
  const status = before === null ? "created" : "updated";
  return isPage ? { status, hash, publishes } : { status, hash };
}

/** The text with the values that the page type adds, where the front matter of the page can be patched. */
function filledIn(
  path: string,
  { before, given }: { before: Buffer | null; given: Buffer },
  { rules, now, openValues, valuesOf }: PerformParts,
): Buffer {
  const { error, frontmatter } = recordOf(path, given);
  if (error !== null || openValues === undefined) return given;
  const standing = before === null ? null : audienceOf(path, before, rules);
  const release = audienceOf(path, given, rules)?.release ?? null;
  const publishedAt = firstPublication(standing?.release ?? null, release, now);
  const patch = openValues({ path, frontmatter, isNew: before === null, publishedAt });
  if (Object.keys(patch).length === 0) return given;
  const values = valuesOf?.(path, given.toString("utf8")) ?? frontmatter;
  const result = patchFile({ path, formats: rules.formats, values }, given, patch);
  return "error" in result ? given : result.bytes;
}

/**
 * Two files whose names differ only in the form of their letters would have one address. `from` is the file that
 * is moved, which may change its form.
 */
async function assertNoTwin(
  path: string,
  from: string | null,
  { files }: PerformParts,
): Promise<void> {
  const twin = await files.twin(path);
  if (twin === null || twin === from) return;
  throw new Refusal(
    "ERR_CONTENT_EXISTS",
    `${JSON.stringify(path)} already exists as ${JSON.stringify(twin)}, in another form of Unicode; use that name`,
  );
}

/** @throws Refusal for pages that the index would omit, and sidecars that would not be read. */
function checkReadable(path: string, bytes: Buffer, rules: ContentRules): void {
  checkSidecar(path, bytes);
  if (parseFileName(nameOf(path), rules) === null) return;
  if (bytes.length > MAX_PAGE_BYTES) {
    const message = `the page has ${bytes.length} bytes, at most ${MAX_PAGE_BYTES} are allowed`;
    throw new Refusal("ERR_CONTENT_SIZE", message);
  }
  const { error, warnings, frontmatter } = recordOf(path, bytes);
  // A page whose front matter stands too low can be edited; it is read as it is.
  const issue =
    error ?? warnings.find(({ code }) => code !== "ERR_CONTENT_FRONT_MATTER_PLACE") ?? null;
  if (issue !== null) throw new Refusal(issue.code, atLine(issue));
  if (parseRoles(frontmatter.roles) === "invalid") {
    throw new Refusal(
      "ERR_CONTENT_ROLES",
      "roles must be a role, a list, {any: […]} or {all: […]}",
    );
  }
}

/** True for a page, false for another file. */
async function checkPage(
  {
    path,
    bytes,
    before,
    mayBeBroken = false,
  }: { path: string; bytes: Buffer; before: Buffer | null; mayBeBroken: boolean | undefined },
  { rules, rights, violations }: PerformParts,
): Promise<boolean> {
  if (!mayBeBroken || rights.fields !== null) checkReadable(path, bytes, rules);
  if (parseFileName(nameOf(path), rules) === null) return false;
  if (violations === undefined) return true;
  const old = before === null ? null : recordOf(path, before);
  assertFits(await violations({ path, record: recordOf(path, bytes), before: old }));
  return true;
}

function checkSidecar(path: string, bytes: Buffer): void {
  if (!isSidecar(path)) return;
  if (bytes.length > MAX_SIDECAR_BYTES) {
    const message = `the sidecar has ${bytes.length} bytes, at most ${MAX_SIDECAR_BYTES} are read; remove keys from the file`;
    throw new Refusal("ERR_CONTENT_SIDECAR", message);
  }
  const result = parseYamlMap(bytes.toString("utf8"));
  if ("issue" in result) throw new Refusal("ERR_CONTENT_SIDECAR", result.issue.message);
}

function sidecarValues(bytes: Buffer): Readonly<Record<string, unknown>> {
  const result = parseYamlMap(bytes.toString("utf8"));
  return "issue" in result ? {} : mediaTexts(result.data, result.texts);
}

function assertFits(violations: readonly FieldViolation[]): void {
  const [first] = violations;
  if (first === undefined) return;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : "";
  throw new Refusal("ERR_CONTENT_INVALID", first.message + more, { violations });
}

function recordOf(sourcePath: string, bytes: Buffer) {
  return toSourceRecord({ sourcePath, mtimeMs: 0, size: bytes.length }, bytes);
}

function checkHash(path: string, before: Buffer | null, ifHash: string | undefined): void {
  if (ifHash === undefined) return;
  const standing = before === null ? undefined : digest(before);
  if (standing === ifHash) return;
  const message = `${JSON.stringify(path)} has changed since it was read; merge and save again`;
  throw new Refusal("ERR_CONTENT_CONFLICT", message, { hash: standing });
}

/** An editor or another program may have saved the file while the change was checked. */
async function assertUnchanged(
  path: string,
  before: Buffer | null,
  { files }: PerformParts,
): Promise<void> {
  const standing = await files.read(path);
  if (before === null ? standing === null : standing?.equals(before) === true) return;
  const message = `${JSON.stringify(path)} was changed by another program at the same moment; read it and save again`;
  throw new Refusal("ERR_CONTENT_CONFLICT", message, {
    ...(standing !== null && { hash: digest(standing) }),
  });
}

/** The bytes to write. */
function contentOf(
  { path, content, patch }: Extract<ContentChange, { op: "write" }>,
  parts: PerformParts,
): Buffer {
  const bytes = Buffer.from(content);
  return patch === undefined ? bytes : merged({ path, patch }, bytes, parts);
}

function merged(
  { path, patch }: { path: string; patch: Readonly<Record<string, unknown>> },
  bytes: Buffer,
  { rules, valuesOf }: PerformParts,
): Buffer {
  const values = isSidecar(path)
    ? sidecarValues(bytes)
    : (valuesOf?.(path, bytes.toString("utf8")) ?? recordOf(path, bytes).frontmatter);
  const result = patchFile({ path, formats: rules.formats, values }, bytes, patch);
  if ("error" in result) throw new Refusal("ERR_CONTENT_PATCH", result.error);
  return result.bytes;
}

async function remove(
  { path, ifHash }: { path: string; ifHash?: string },
  parts: PerformParts,
): Promise<Outcome> {
  const { files } = parts;
  const kind = await files.kind(path);
  if (kind !== "folder") await assertMayDelete(path, parts);
  if (kind === "none")
    throw new Refusal("ERR_CONTENT_MISSING", `there is no file ${JSON.stringify(path)}`);
  if (kind === "folder") {
    throw new Refusal(
      "ERR_CONTENT_PATH",
      `path ${JSON.stringify(path)} is a folder; delete its files`,
    );
  }
  if (ifHash !== undefined) checkHash(path, await files.read(path), ifHash);
  const publishes = await deletionWidens(path, parts);
  assertMayWiden(path, publishes, parts);
  await files.remove(path);
  return { status: "deleted", ...(publishes && { publishes }) };
}

async function move(
  { path, to }: { path: string; to: string },
  parts: PerformParts,
): Promise<Outcome> {
  const { files } = parts;
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
  await assertNoTwin(to, path, parts);
  await assertMayMove({ path, to }, parts);
  const publishes = await moveWidens({ path, to }, parts);
  assertMayWiden(path, publishes, parts);
  await files.move(path, to);
  return { status: "moved", ...(publishes && { publishes }) };
}

function atLine({ message, line }: { message: string; line?: number }): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}
