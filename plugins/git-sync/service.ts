/** The service: runs, their status, and what to do about conflicts. */
import { readFile } from "node:fs/promises";
import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import { SiteError, type SiteContext } from "#kernel";
import { realInside } from "#lib/files";
import { GIT_LOCK_FIX } from "#lib/git";
import type { ApplyOptions, ContentChange } from "../content/contract.js";
import type { ConflictRecord, Conflicts } from "./conflicts.js";
import type { GitConflict, GitResolution, GitSyncService, GitSyncStatus } from "./contract.js";
import type { LeaderRuns } from "./leader-runs.js";
import type { Workspace } from "./workspace.js";

/** Dependencies of the service. */
export interface GitSyncOptions {
  readonly site: SiteContext;
  readonly workspace: Workspace;
  readonly conflicts: Conflicts;
  readonly runs: LeaderRuns;
  /** Without credentials. */
  readonly remote: string;
}

/** The synchronisation of one site. */
export class GitSync implements GitSyncService {
  readonly #options: GitSyncOptions;
  readonly #resolving = new Set<string>();

  constructor(options: GitSyncOptions) {
    this.#options = options;
  }

  status(): GitSyncStatus {
    const { runs, conflicts, remote, site } = this.#options;
    const { syncedAt, failingSince, lastError, unpushed } = runs.state;
    const iso = (ms: number | null): string | null =>
      ms === null ? null : new Date(ms).toISOString();
    return {
      remote,
      branch: site.settings.system.git_sync.branch,
      syncedAt: iso(syncedAt),
      failingSince: iso(failingSince),
      lastError,
      unpushed,
      conflicts: conflicts.list().length,
    };
  }

  /** The message for health; without secrets and external text. */
  problem(): string | null {
    const { failingSince, conflicts } = this.status();
    const { lock } = this.#options.runs.state;
    if (failingSince !== null && lock !== null) {
      return `the git remote could not be synchronised since ${failingSince}: the lock file ${lock} blocks git; ${GIT_LOCK_FIX}; saves are kept and pushed later`;
    }
    if (failingSince !== null) {
      return `the git remote could not be synchronised since ${failingSince}; saves are kept and pushed later`;
    }
    if (conflicts === 0) return null;
    return `${conflicts} ${conflicts === 1 ? "file was" : "files were"} changed here and in the git remote, and no decision was made yet`;
  }

  sync(): Promise<void> {
    return this.#options.runs.now();
  }

  conflicts(): Promise<readonly GitConflict[]> {
    return Promise.all(this.#options.conflicts.list().map((one) => this.#shown(one)));
  }

  /** The reason why a path below `content/` may not be written at the moment; null when it may. */
  guard(sourcePath: string): string | null {
    const { conflicts, workspace } = this.#options;
    const conflict = conflicts.at(`${workspace.prefix}${sourcePath}`);
    if (conflict === undefined || this.#resolving.has(conflict.id)) return null;
    return `${JSON.stringify(sourcePath)} was changed here and in the git remote; resolve conflict ${conflict.id} first`;
  }

  async resolve(id: string, resolution: GitResolution, options: ApplyOptions = {}): Promise<void> {
    const { conflicts, runs, site, workspace } = this.#options;
    const conflict = conflicts.get(id);
    const sourcePath = conflict === undefined ? null : workspace.toSource(conflict.path);
    if (conflict === undefined) throw unknown(id);
    this.#resolving.add(id);
    try {
      if (sourcePath === null) assertMayDecide(options);
      else await this.#settle(sourcePath, conflict, resolution, options);
      await conflicts.remove(id);
      await runs.tellOthers();
    } finally {
      this.#resolving.delete(id);
    }
    site.log.info("git_sync.resolved", { path: conflict.path });
    runs.soon();
  }

  /** Writes the text that was chosen. The remote's is in the file already: dropping the other one needs the same rights. */
  async #settle(
    path: string,
    record: ConflictRecord,
    resolution: GitResolution,
    options: ApplyOptions,
  ): Promise<void> {
    const content = this.#options.site.use("content");
    const isDropped = "take" in resolution && resolution.take === "theirs";
    const change = changeFor(path, record, resolution);
    const message = options.message ?? `resolve the conflict in ${path}`;
    const [result] = await content.apply([change], { ...options, message, dryRun: isDropped });
    const isDeleted = result?.op === "delete" && result.code === "ERR_CONTENT_MISSING";
    if (result?.status !== "error" || isDeleted) return;
    const isForbidden = FORBIDDEN.has(result.code ?? "");
    if (isDropped && !isForbidden) return;
    const why = result.errors[0] ?? "the text could not be saved";
    throw unresolved(why, isForbidden ? 403 : 422);
  }

  async #shown({ ours, ...record }: ConflictRecord): Promise<GitConflict> {
    const { workspace } = this.#options;
    // The folder of a file that others decide about may be a link out of the repository.
    const file = await realInside(workspace.root, join(workspace.root, record.path)).catch(
      () => null,
    );
    const theirs = file === null ? null : await readFile(file).catch(() => null);
    const sourcePath = workspace.toSource(record.path);
    return { ...record, sourcePath, ours: readText(ours), theirs: readText(theirs) };
  }
}

function readText(bytes: Buffer | null): string | null {
  return bytes !== null && isUtf8(bytes) ? bytes.toString() : null;
}

/** Codes of changes that their author has no right to. */
const FORBIDDEN: ReadonlySet<string> = new Set([
  "ERR_CONTENT_AUDIENCE",
  "ERR_CONTENT_FORBIDDEN",
  "ERR_CONTENT_LIMITED",
]);

/** A file that is no content, such as a record. @throws 403. */
function assertMayDecide({ rights }: ApplyOptions): void {
  const reason = rights?.refuse("record", null, null) ?? null;
  if (reason !== null) throw unresolved(reason, 403);
}

function unresolved(why: string, status: 403 | 422): SiteError {
  const fix = status === 403 ? "ask an account with the right to it" : "correct the text";
  return new SiteError("ERR_GIT_SYNC_RESOLVE", why, { status, fix });
}

/** The change that writes the text of this site, or another one. */
function changeFor(
  path: string,
  { ours }: ConflictRecord,
  resolution: GitResolution,
): ContentChange {
  if ("content" in resolution) return { op: "write", path, content: resolution.content };
  return ours === null ? { op: "delete", path } : { op: "write", path, content: ours };
}

function unknown(id: string): SiteError {
  return new SiteError("ERR_GIT_SYNC_UNKNOWN", `there is no conflict ${JSON.stringify(id)}`, {
    status: 404,
    fix: "list the conflicts again",
  });
}
