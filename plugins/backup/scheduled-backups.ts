import { join } from "node:path";
import { z } from "zod";
import type { SiteContext } from "#kernel";
import type { Jobs } from "../jobs/contract.js";
import type {} from "./contract.js";
import { cronTimes, isMissed, missedBackups } from "./schedule.js";
import {
  inside,
  backupFolder,
  backupName,
  deleteOldBackups,
  listBackups,
  type StoredBackup,
} from "./create/retention.js";

/** Unix ms at which the backup is due. */
const payloadSchema = z.object({ at: z.number() });
const QUEUE = "backup";
const KEY = "schedule";
const DELAYS_MS = [60_000, 10 * 60_000, 60 * 60_000];
/** The folder is looked at again after this time: another process may make the backups. */
const LOOK_MS = 60_000;
/** A missed backup is made after the start, which takes time. */
const START_MS = 60 * 60_000;

/** Makes backups by a cron pattern, as jobs: one process per root runs them, and a missed one follows at startup. */
export class ScheduledBackups {
  readonly #site: SiteContext;
  readonly #jobs: Jobs;
  readonly #nextAfter: (after: number) => number | null;
  readonly #folder: string;
  readonly #schedule: string;
  #newest: StoredBackup | null = null;
  /** When the planned backup is due, in Unix ms, where any node may make it. */
  #planned: number | null = null;
  #lastError: string | null = null;
  #startedAt: number | null = null;
  #lookedAt = 0;

  constructor(site: SiteContext, schedule: string) {
    const { timezone, backup } = site.settings.system;
    this.#site = site;
    this.#schedule = schedule;
    this.#nextAfter = cronTimes(schedule, timezone);
    this.#folder = backupFolder(site.paths.root, backup.folder);
    this.#jobs = site.use("jobs");
    this.#jobs.define<{ at: number }>(QUEUE, {
      payload: payloadSchema,
      delaysMs: DELAYS_MS,
      keepsDead: false,
      // A time that has passed stays, so that the missed backup is made.
      merge: (waiting, added) => (waiting.at <= this.#now() ? waiting : added),
      run: ({ payload }) => this.#run(payload.at),
    });
  }

  /** Plans the next backup. */
  async start(): Promise<void> {
    await this.#look();
    this.#startedAt = this.#now();
    await this.#plan();
  }

  /** The state for the health report. */
  status(): Record<string, unknown> {
    const next = this.#nextAfter(this.#now());
    return {
      newest: this.#newest === null ? null : new Date(this.#newest.createdAt).toISOString(),
      next: next === null ? null : new Date(next).toISOString(),
      lastError: this.#lastError,
    };
  }

  /** The current problem, for the health report. */
  problem(): string | null {
    if (this.#lastError !== null) return `the last backup failed: ${this.#lastError}`;
    const missed = this.#missed();
    return missed === null ? null : `the backup of ${new Date(missed).toISOString()} was missed`;
  }

  /** Unix ms of the first backup that this server should have made; null: none was missed. */
  #missed(): number | null {
    const now = this.#now();
    const startedAt = this.#startedAt;
    const { isOwner, isShared } = this.#jobs;
    if (startedAt === null || now < startedAt + START_MS || !(isOwner || isShared)) return null;
    if (now >= this.#lookedAt + LOOK_MS) void this.#look();
    // The backup is in the folder of the node that made it, and its job is no longer planned then.
    if (isShared) return isMissed(this.#planned, now) ? this.#planned : null;
    const { timezone } = this.#site.settings.system;
    const since = this.#newest?.createdAt ?? startedAt;
    return missedBackups(since, this.#schedule, timezone, now).first;
  }

  async #look(): Promise<void> {
    this.#lookedAt = this.#now();
    this.#newest = (await listBackups(this.#folder))[0] ?? null;
    if (!this.#jobs.isShared) return;
    try {
      const planned = await this.#jobs.list({ queue: QUEUE });
      const times = planned.map(({ payload }) => payloadSchema.parse(payload).at);
      this.#planned = times.length === 0 ? null : Math.min(...times);
    } catch {
      // While the jobs cannot be read, the last state counts; health reports the store.
    }
  }

  #now(): number {
    return this.#site.runtime.clock.now();
  }

  async #plan(): Promise<void> {
    const next = this.#nextAfter(this.#now());
    if (next !== null) await this.#jobs.add(QUEUE, { at: next }, { key: KEY, runAt: next });
  }

  async #run(at: number): Promise<void> {
    await this.#plan();
    // The pattern has changed since the job was stored.
    if (this.#now() < at) return;
    const { runtime, paths, log, settings } = this.#site;
    const { keep, exclude } = settings.system.backup;
    const now = this.#now();
    const below = inside(paths.root, this.#folder);
    try {
      const { createBackup } = await import("./create/create-backup.js");
      const report = await createBackup({
        root: paths.root,
        out: join(this.#folder, backupName(now)),
        withSecrets: false,
        databases: { url: runtime.env.get("SITE_DB_URL"), path: runtime.env.get("SITE_DB_PATH") },
        exclude: below === null ? exclude : [...exclude, below],
        now,
      });
      const deleted = await deleteOldBackups(this.#folder, keep);
      await this.#look();
      this.#lastError = null;
      const { files, bytes } = report;
      log.info("backup.created", { name: this.#newest?.name, files, bytes, deleted });
      for (const { path, reason } of report.leftOut) log.warn("backup.left_out", { path, reason });
    } catch (error) {
      // Only the code: messages name paths.
      const code = error instanceof Error && "code" in error ? String(error.code) : "an error";
      this.#lastError = code;
      log.error("backup.failed", { error: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }
}
