/** Reads how many processes serve a site, without loading its plugins. */
import { availableParallelism } from "node:os";
import type { z } from "zod";
import { isRecord } from "#lib/values";
import { mergeLayers } from "../../config/layers.js";
import { readConfigFiles } from "../../config/read-files.js";
import { resolveConfig } from "../../config/resolve-config.js";
import { workerSettings } from "../../config/kernel-settings.js";
import type { Env, SystemSettings } from "../../contracts.js";
import { optionError } from "../../errors.js";
import { createLog, type RootLogger } from "#lib/log";

/** Highest number of workers. */
const MAX_WORKERS = 64;

/** The settings with which the processes of a server start, before one of them has read the whole configuration. */
export interface LaunchSettings {
  /** Number of workers; 1: this process serves the site itself. */
  readonly count: number;
  /** Memory above which a worker is replaced, in MB; null: no limit. */
  readonly memoryMb: number | null;
  /** A worker without a heartbeat for this long is replaced, in seconds. */
  readonly silenceSeconds: number;
  /** The log of a process that runs no site. */
  createLog(): Promise<ServerLog>;
}
/** The log of a process, and its format. */
export interface ServerLog {
  readonly log: RootLogger;
  readonly format: SystemSettings["logging"]["format"];
}

/**
 * The settings of a site root. Invalid ones count as absent: the worker that reads them all reports them.
 * @throws ERR_CLI_OPTION for an invalid `option` (`--workers`).
 */
export async function readLaunchSettings(
  root: string,
  { env, option }: { env: Env; option: string | undefined },
): Promise<LaunchSettings> {
  const files = await readConfigFiles(root, env);
  const layers = files.layers.filter(({ target }) => target === "system");
  const server = mergeLayers(layers)["server"];
  const settings = parse(isRecord(server) ? server : {}, env);
  const chosen = option === undefined ? settings.workers : parseOption(option);
  return {
    count: chosen === "auto" ? Math.min(availableParallelism(), MAX_WORKERS) : chosen,
    memoryMb: settings.worker_memory_mb,
    silenceSeconds: settings.worker_silence_seconds,
    async createLog() {
      const { format, level } = resolveConfig(files, [], { env }).settings.system.logging;
      return { log: await createLog({ format, level }), format };
    },
  };
}

function parse(raw: Record<string, unknown>, env: Env): z.output<typeof workerSettings> {
  const values = Object.keys(workerSettings.shape).flatMap((key) => {
    const value = raw[key];
    if (typeof value !== "string" || value === "auto") return [[key, value] as const];
    const expanded = env.expand(value) ?? "";
    return [[key, expanded === "auto" ? expanded : Number(expanded)] as const];
  });
  const written = values.filter(([, value]) => value !== undefined);
  return workerSettings.safeParse(Object.fromEntries(written)).data ?? workerSettings.parse({});
}

function parseOption(text: string): number | "auto" {
  if (text === "auto") return text;
  const count = Number(text);
  if (/^\d{1,2}$/.test(text) && count >= 1 && count <= MAX_WORKERS) return count;
  throw optionError(`--workers is ${JSON.stringify(text)}`, {
    fix: `pass a whole number from 1 to ${MAX_WORKERS}, or auto`,
  });
}
