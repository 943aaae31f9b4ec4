/** One change of the write path: checked, then made. */
import type { ChangeFiles } from "./change-files.js";
import type { ContentRules } from "./content-store.js";
import type { ContentChange, ContentChangeResult } from "./contract.js";
import { parseYamlMap } from "./full-yaml.js";
import { parseRoles } from "./gating.js";
import { releaseOf } from "./page-entry.js";
import { patchFile } from "./patch-front-matter.js";
import { Refusal } from "./refusal.js";
import { bringsOut, type Release } from "./schedule.js";
import { nameOf, parseFileName } from "./source-name.js";
import { linkIssue, pathIssue } from "./source-path.js";
import { digest, maxPageBytes, toSourceRecord } from "./source-record.js";

/** What a change is made with. */
export interface PerformParts {
  readonly files: ChangeFiles;
  readonly rules: ContentRules;
  /** Unix ms. */
  readonly now: number;
}
/** What became of a change. */
export type Outcome = Omit<ContentChangeResult, "op" | "path" | "errors">;

/** The paths that a change touches. */
export function pathsOf(change: ContentChange): string[] {
  return change.op === "move" ? [change.path, change.to] : [change.path];
}

/** Makes a change. @throws Refusal for one that cannot be made. */
export async function performChange(change: ContentChange, parts: PerformParts): Promise<Outcome> {
  for (const path of pathsOf(change)) await checkPath(path, parts.rules);
  switch (change.op) {
    case "write":
      return write(change, Buffer.from(change.content), parts);
    case "frontmatter":
      return write(change, await patched(change, parts), parts);
    case "delete":
      return remove(change, parts.files);
    case "move":
      return move(change, parts.files);
  }
}

async function checkPath(path: string, rules: ContentRules): Promise<void> {
  const issue = pathIssue(path, rules) ?? (await linkIssue(path, rules));
  if (issue !== null) throw new Refusal("ERR_CONTENT_PATH", issue);
}

async function write(
  { path, ifHash }: { path: string; ifHash?: string },
  bytes: Buffer,
  { files, rules, now }: PerformParts,
): Promise<Outcome> {
  if ((await files.kind(path)) === "folder") {
    throw new Refusal(
      "ERR_CONTENT_PATH",
      `path ${JSON.stringify(path)} is a folder; name a file in it`,
    );
  }
  const before = await files.read(path);
  checkHash(path, before, ifHash);
  const release = checkedRelease(path, bytes, rules);
  const hash = digest(bytes);
  if (before?.equals(bytes) === true) return { status: "skipped", hash };
  await files.write(path, bytes);
  const status = before === null ? "created" : "updated";
  if (release === null) return { status, hash };
  const publishes = bringsOut(standingRelease(path, before, rules), release, now);
  return { status, hash, publishes };
}

/** When a page is out; null for a file that is none. Whatever the index would leave out is refused. */
function checkedRelease(path: string, bytes: Buffer, rules: ContentRules): Release | null {
  if (path.endsWith(".meta.yaml")) {
    const result = parseYamlMap(bytes.toString("utf8"));
    if ("issue" in result) throw new Refusal("ERR_CONTENT_SIDECAR", result.issue.message);
  }
  if (parseFileName(nameOf(path), rules) === null) return null;
  if (bytes.length > maxPageBytes) {
    const message = `the page has ${bytes.length} bytes, at most ${maxPageBytes} are allowed`;
    throw new Refusal("ERR_CONTENT_SIZE", message);
  }
  const { error, warnings, frontmatter } = recordOf(path, bytes);
  const issue = error ?? warnings[0] ?? null;
  if (issue !== null) throw new Refusal(issue.code, atLine(issue));
  if (parseRoles(frontmatter.roles) === "invalid") {
    throw new Refusal(
      "ERR_CONTENT_ROLES",
      "roles must be a role, a list, {any: […]} or {all: […]}",
    );
  }
  return releaseOf(frontmatter, rules.timezone);
}

/** Null: there is no page that could be out. */
function standingRelease(
  path: string,
  before: Buffer | null,
  { timezone }: ContentRules,
): Release | null {
  const record = before === null ? null : recordOf(path, before);
  return record === null || record.error !== null ? null : releaseOf(record.frontmatter, timezone);
}

function recordOf(sourcePath: string, bytes: Buffer) {
  return toSourceRecord({ sourcePath, mtimeMs: 0, size: bytes.length }, bytes);
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
  { files, rules: { formats } }: PerformParts,
): Promise<Buffer> {
  const before = (await files.kind(path)) === "file" ? await files.read(path) : null;
  const result = patchFile({ path, formats }, before ?? Buffer.alloc(0), patch);
  if ("error" in result) throw new Refusal("ERR_CONTENT_PATCH", result.error);
  return result.bytes;
}

async function remove(
  { path, ifHash }: { path: string; ifHash?: string },
  files: ChangeFiles,
): Promise<Outcome> {
  const kind = await files.kind(path);
  if (kind === "none")
    throw new Refusal("ERR_CONTENT_MISSING", `there is no file ${JSON.stringify(path)}`);
  if (kind === "folder") {
    throw new Refusal(
      "ERR_CONTENT_PATH",
      `path ${JSON.stringify(path)} is a folder; delete its files`,
    );
  }
  if (ifHash !== undefined) checkHash(path, await files.read(path), ifHash);
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

function atLine({ message, line }: { message: string; line?: number }): string {
  return line === undefined ? message : `line ${line}: ${message}`;
}
