/** The write path: checks each change, writes it and reports its result. */
import { isUtf8 } from "node:buffer";
import { boundToStep, type FileSteps, isInStep, recordInStep } from "#lib/files";
import type { FileToCheck } from "../blueprints/page-checks.js";
import type { SiteBlueprints } from "../blueprints/site-blueprints.js";
import type {
  ApplyOptions,
  ContentChange,
  ContentChangeResult,
  FieldViolation,
  PageEntry,
  WriteRights,
} from "../contract.js";
import type { ContentRules } from "../index/store-options.js";
import type { ChangedRecords } from "../index/update-index.js";
import type { WriteWork } from "../index/update-queues.js";
import { parseYamlMap } from "../read/front-matter/full-yaml.js";
import { mediaTexts } from "../read/front-matter/text-keys.js";
import { isSidecar } from "../read/media-listing.js";
import { errorCode } from "../read/read-source.js";
import { isPagePath } from "../read/source-name.js";
import { digest, recordOfBytes } from "../read/source-record.js";
import { firstPublication } from "../schedule/publication-time.js";
import { findAudience, deletionWidens, isWider, moveWidens } from "./audience.js";
import {
  assertFits,
  assertHash,
  assertNoTwin,
  assertPath,
  assertReadable,
  assertUnchanged,
  Refusal,
} from "./change-checks.js";
import { DiskFiles, DryFiles, RecordedFiles, type ChangeFiles } from "./change-files.js";
import { isOfModule, ownersOfText } from "./page-owners.js";
import { patchFile } from "./patch-front-matter.js";
import {
  assertMayChange,
  assertMayDelete,
  assertMayMove,
  assertMayTake,
  assertMayWiden,
  assertMayWriteAt,
  pageFolders,
  SERVER_RIGHTS,
  type RightsContext,
  type Versions,
} from "./write-rights.js";

/** Page types check the pages that are written, and add values. */
interface PageTypes {
  /** Finds the fields of a page that do not fit its blueprint. Absent: pages are not checked. */
  violations?: ((file: FileToCheck) => Promise<readonly FieldViolation[]>) | undefined;
  /** The values that page types give to pages. Absent: none. */
  openValues?: SiteBlueprints["openValues"] | undefined;
  /** The values of a page's text as they are read. Absent: only built-in keys are texts. */
  valuesOf?: ((path: string, text: string) => Readonly<Record<string, unknown>>) | undefined;
}

/** Dependencies of the write path. */
export interface ApplyDeps extends PageTypes {
  rules(): ContentRules;
  /** Unix ms. */
  now(): number;
  /** Queues the work; resolves when the index is up to date. */
  write(work: WriteWork): Promise<void>;
  /** Journals changes of several files. Absent: a kill may leave some of them. */
  steps?: Pick<FileSteps, "run">;
  /** Why a path may not be written; null: it may. */
  guard?(path: string): string | null;
  /** The page whose access rules apply to the media of a folder; null: public. */
  ownerOf?(folder: string): PageEntry | null;
  /** See `ownersOfPart`. Absent: no page exists. */
  partOwners?(path: string, created: ReadonlySet<string>): readonly string[] | null;
  /** See `displacedPages`. Absent: none. */
  displaced?(change: ChangedRecords): Promise<readonly PageEntry[]>;
}

/** Dependencies that the changes of one call share. */
interface Batch {
  readonly files: ChangeFiles;
  /** Rights of the author. */
  readonly rights: WriteRights;
  /** The result of `pageFolders`. */
  readonly folders: ReadonlySet<string>;
  readonly violations: PageTypes["violations"];
  /** The account that gets new pages; null: none. */
  readonly owner: string | null;
  /** True: results have the texts before and after. */
  readonly withTexts: boolean;
}

/** Dependencies of one change. */
interface ChangeContext extends RightsContext, PageTypes {
  /** The account that gets a new page; null: none. */
  readonly owner: string | null;
}

type Outcome = Omit<ContentChangeResult, "op" | "path" | "errors">;
type TextChange = Extract<ContentChange, { op: "write" | "frontmatter" }>;
type Deletion = Extract<ContentChange, { op: "delete" }>;
type Move = Extract<ContentChange, { op: "move" }>;

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
    const rules = this.#deps.rules();
    const { rights = SERVER_RIGHTS, texts = false, validate = true } = options;
    const shared = {
      rights,
      folders: pageFolders(changes, rules),
      violations: validate ? this.#deps.violations : undefined,
      // A dry run shows the same to all accounts: another one than the author's may approve the change.
      owner: options.dryRun === true ? null : rights.owner,
    };
    const disk = new DiskFiles(rules.root);
    if (options.dryRun === true) {
      return this.#applyAll(changes, { ...shared, files: new DryFiles(disk), withTexts: texts });
    }
    let results: ContentChangeResult[] = [];
    // The queue runs it among the changes of others.
    const work = boundToStep(async () => {
      const files = new RecordedFiles(disk);
      const batch = { ...shared, files, withTexts: false };
      const plan = { ...batch, files: new DryFiles(disk) };
      results = await this.#applyAsStep({ changes, message: options.message }, batch, plan);
      const touched = changes.filter((_, at) => isWritten(results[at])).flatMap(listPaths);
      if (touched.length === 0) return null;
      return {
        touched,
        folders: [...files.folders],
        changes: files.changes,
        actor: options.actor ?? null,
        message: options.message ?? "",
        release: () => files.release(),
      };
    });
    await this.#deps.write(work);
    return results;
  }

  /**
   * Several changes are all made, or none after a kill: they are tried without the disk first, and journalled. One
   * change is atomic by itself; as a part of a step, it is journalled too.
   */
  async #applyAsStep(
    { changes, message = "" }: { changes: readonly ContentChange[]; message?: string | undefined },
    batch: Batch,
    plan: Batch & { readonly files: DryFiles },
  ): Promise<ContentChangeResult[]> {
    const { steps, rules } = this.#deps;
    const apply = (): Promise<ContentChangeResult[]> => this.#applyAll(changes, batch);
    const isPart = isInStep();
    if (steps === undefined || (!isPart && changes.length < 2)) return apply();
    try {
      await this.#applyAll(changes, plan);
      const planned = plan.files.changesBelow(rules().root);
      if (isPart) await recordInStep(planned);
      if (isPart || planned.length < 2) return await apply();
      return await steps.run(message === "" ? "change" : message, async () => {
        await recordInStep(planned, { isWhole: true });
        return apply();
      });
    } catch (error) {
      // Changes do not throw: the journal could not be written.
      return changes.map(({ op, path }) => ({ op, path, status: "error", ...failure(error) }));
    }
  }

  async #applyAll(changes: readonly ContentChange[], batch: Batch): Promise<ContentChangeResult[]> {
    const results: ContentChangeResult[] = [];
    for (const change of changes) results.push(await this.#applyOne(change, batch));
    return results;
  }

  async #applyOne(change: ContentChange, batch: Batch): Promise<ContentChangeResult> {
    const { op, path } = change;
    try {
      const before = batch.withTexts ? await readText(path, batch.files) : null;
      const outcome = await this.#perform(change, batch);
      const done: ContentChangeResult = { op, path, errors: [], ...outcome };
      if (!batch.withTexts) return done;
      return { ...done, texts: { before, after: await readText(path, batch.files) } };
    } catch (error) {
      return { op, path, status: "error", ...failure(error) };
    }
  }

  async #perform(change: ContentChange, batch: Batch): Promise<Outcome> {
    const { guard, openValues, valuesOf, ownerOf, partOwners, displaced } = this.#deps;
    const reasons = listPaths(change).map((path) => guard?.(path) ?? null);
    const reason = reasons.find((text) => text !== null);
    if (reason !== undefined) throw new Refusal("ERR_CONTENT_CONFLICT", reason);
    const context: ChangeContext = {
      rights: change.asServer === true ? SERVER_RIGHTS : batch.rights,
      files: batch.files,
      folders: batch.folders,
      rules: this.#deps.rules(),
      now: this.#deps.now(),
      ownerOf: ownerOf ?? (() => null),
      partOwners: partOwners ?? (() => null),
      displaced: displaced ?? (() => Promise.resolve([])),
      owner: change.asServer === true ? null : batch.owner,
      violations: batch.violations,
      openValues,
      valuesOf,
    };
    for (const path of listPaths(change)) assertPath(path, context.rules);
    switch (change.op) {
      case "write":
      case "frontmatter":
        return write(change, context);
      case "delete":
        return remove(change, context);
      case "move":
        return move(change, context);
    }
  }
}

function listPaths(change: ContentChange): string[] {
  return change.op === "move" ? [change.path, change.to] : [change.path];
}

/** Null for a missing file, and for one that is not text. */
async function readText(path: string, files: ChangeFiles): Promise<string | null> {
  if ((await files.kind(path)) !== "file") return null;
  const bytes = await files.read(path);
  return bytes === null || !isUtf8(bytes) ? null : bytes.toString("utf8");
}

function isWritten(result: ContentChangeResult | undefined): boolean {
  return result !== undefined && result.status !== "error" && result.status !== "skipped";
}

type Failure = Pick<
  ContentChangeResult,
  "errors" | "code" | "systemCode" | "hash" | "validationErrors"
>;

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
  const systemCode = errorCode(error);
  const message = `the file could not be written (${systemCode}); check permissions and free space`;
  return { errors: [message], code: "ERR_CONTENT_WRITE", systemCode };
}

/** Writes a file, as a whole or with other keys. @throws Refusal */
async function write(change: TextChange, context: ChangeContext): Promise<Outcome> {
  const { path } = change;
  const { files, rights, rules, now } = context;
  const before = await fileBefore(change, context);
  const changedBytes = bytesAfter(change, before, context);
  const isLimited = rights.fields !== null;
  const isRestored = change.op === "write" && change.isRestored === true;
  const versions = { before, after: changedBytes, isRestored };
  if (!isLimited) assertMayChange(path, versions, context);
  assertHash(path, before, change.ifHash);
  // The author of some fields did not write what the page type adds.
  const filled = fillIn(change, versions, context);
  const bytes = isRestored ? filled : ownedBytes(path, { before, after: filled }, context);
  if (!isRestored || isLimited) assertReadable(path, bytes, rules);
  await assertBlueprint(path, { before, after: bytes }, context);
  // Fields can be compared only in valid front matter.
  if (isLimited) assertMayChange(path, versions, context);
  const hash = digest(bytes);
  if (before?.equals(bytes) === true) return { status: "skipped", hash };
  const publishes = isWider(
    findAudience(path, before, rules),
    findAudience(path, bytes, rules),
    now,
  );
  assertMayWiden(path, { isWider: publishes, before }, context);
  const changed = isPagePath(path, rules) ? [recordOfBytes(path, bytes)] : [];
  await assertMayTake({ changed, removed: [] }, context);
  await assertUnchanged(path, before, files);
  await files.write(path, bytes);
  const status = before === null ? "created" : "updated";
  return isPagePath(path, rules) ? { status, hash, publishes } : { status, hash };
}

/** The file until now; null without one. @throws Refusal when the change may not write at its path. */
async function fileBefore(change: TextChange, context: ChangeContext): Promise<Buffer | null> {
  const { path } = change;
  const { files } = context;
  const isNew = change.op === "write" && change.isNew === true;
  const kind = await files.kind(path);
  const before = kind === "file" ? await files.read(path) : null;
  const action = kind === "none" || isNew ? "create" : "update";
  assertMayWriteAt(path, { action, before }, context);
  if (kind === "folder") {
    throw new Refusal(
      "ERR_CONTENT_PATH",
      `path ${JSON.stringify(path)} is a folder; name a file in it`,
    );
  }
  if (isNew && before !== null) {
    throw new Refusal("ERR_CONTENT_EXISTS", `${JSON.stringify(path)} already exists`);
  }
  if (kind === "none") await assertNoTwin(path, null, files);
  return before;
}

/** The bytes that the author gives the file. */
function bytesAfter(change: TextChange, before: Buffer | null, context: ChangeContext): Buffer {
  const { op, path, patch } = change;
  const bytes = op === "write" ? Buffer.from(change.content) : (before ?? Buffer.alloc(0));
  if (patch === undefined) return bytes;
  const { rules, valuesOf } = context;
  const values = isSidecar(path)
    ? sidecarValues(bytes)
    : (valuesOf?.(path, bytes.toString("utf8")) ?? recordOfBytes(path, bytes).frontmatter);
  const result = patchFile({ path, formats: rules.formats, values }, bytes, patch);
  if ("error" in result) throw new Refusal("ERR_CONTENT_PATCH", result.error);
  return result.bytes;
}

function sidecarValues(bytes: Buffer): Readonly<Record<string, unknown>> {
  const result = parseYamlMap(bytes.toString("utf8"));
  return "issue" in result ? {} : mediaTexts(result.data, result.texts);
}

/** The text with the values that the page type adds, where its front matter can be patched and the change fills in. */
function fillIn(
  { path, fillsIn = false }: TextChange,
  { before, after }: Versions,
  context: ChangeContext,
): Buffer {
  const { rules, now, openValues, valuesOf } = context;
  if (!fillsIn || openValues === undefined) return after;
  const { error, frontmatter } = recordOfBytes(path, after);
  if (error !== null) return after;
  const standing = findAudience(path, before, rules)?.release ?? null;
  const release = findAudience(path, after, rules)?.release ?? null;
  const publishedAt = firstPublication(standing, release, now);
  const patch = openValues({ path, frontmatter, isNew: before === null, publishedAt });
  if (Object.keys(patch).length === 0) return after;
  const values = valuesOf?.(path, after.toString("utf8")) ?? frontmatter;
  const result = patchFile({ path, formats: rules.formats, values }, after, patch);
  return "error" in result ? after : result.bytes;
}

/** The text of a new page with the account that gets it, where its front matter can be patched and names none. */
function ownedBytes(
  path: string,
  { before, after }: Versions,
  { owner, rules }: ChangeContext,
): Buffer {
  const isPage = isPagePath(path, rules) && !isOfModule(path);
  if (owner === null || before !== null || !isPage) return after;
  const { error, frontmatter } = recordOfBytes(path, after);
  if (error !== null || ownersOfText(path, after).length > 0) return after;
  const result = patchFile({ path, formats: rules.formats, values: frontmatter }, after, { owner });
  return "error" in result ? after : result.bytes;
}

/** @throws Refusal when a page does not fit its blueprint. */
async function assertBlueprint(
  path: string,
  { before, after }: Versions,
  { rules, violations }: ChangeContext,
): Promise<void> {
  if (violations === undefined || !isPagePath(path, rules)) return;
  const old = before === null ? null : recordOfBytes(path, before);
  assertFits(await violations({ path, record: recordOfBytes(path, after), before: old }));
}

/** Deletes a file. @throws Refusal */
async function remove({ path, ifHash }: Deletion, context: ChangeContext): Promise<Outcome> {
  const { files } = context;
  const kind = await files.kind(path);
  if (kind !== "folder") await assertMayDelete(path, context);
  if (kind === "none") {
    throw new Refusal("ERR_CONTENT_MISSING", `there is no file ${JSON.stringify(path)}`);
  }
  if (kind === "folder") {
    throw new Refusal(
      "ERR_CONTENT_PATH",
      `path ${JSON.stringify(path)} is a folder; delete its files`,
    );
  }
  if (ifHash !== undefined) assertHash(path, await files.read(path), ifHash);
  const publishes = await deletionWidens(path, context);
  assertMayWiden(path, { isWider: publishes, before: await files.read(path) }, context);
  await files.remove(path);
  return { status: "deleted", ...(publishes && { publishes }) };
}

/** Moves a file or folder. @throws Refusal */
async function move({ path, to }: Move, context: ChangeContext): Promise<Outcome> {
  const { files } = context;
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
  await assertNoTwin(to, path, files);
  const publishes = await moveWidens(path, to, context);
  await assertMayMove(path, { to, isWider: publishes }, context);
  await files.move(path, to);
  return { status: "moved", ...(publishes && { publishes }) };
}
