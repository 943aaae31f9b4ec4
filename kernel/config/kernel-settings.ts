import * as z from "zod";
import { httpUrl } from "#lib/urls";
import type { SettingsSchemas } from "../contracts.js";
import { siteFolder } from "./folder-keys.js";

const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

/** Canonical base URL; trailing slashes are removed. */
const baseUrl = httpUrl()
  .refine((url) => !url.includes("?"), {
    error: "a base URL without query",
    params: { fix: "remove everything from the `?` on" },
  })
  .overwrite((url) => url.replace(/(?<!\/)\/+$/, ""));
/** The runtime folder: also what a backup says about its site. */
export const runtimeFolder = siteFolder("private")
  .describe("Folder of data of this machine, in the site root")
  .default(".dune/admin");

const pluginBlock = z.strictObject({
  src: z
    .string()
    .describe("`./path` in the site, `npm:name@range`, or the name of a first-party plugin")
    .optional(),
  config: z.record(z.string(), z.unknown()).describe("The plugin's own settings").optional(),
  enabled: z.boolean().describe("Whether it is used").default(true),
});
const plugins = z
  .union([
    z.array(z.union([z.string(), pluginBlock.extend({ name: z.string().optional() })])),
    z.record(z.string(), z.union([pluginBlock, z.boolean(), z.null()])),
  ])
  .describe("Plugins to use: a list, or a map by name; without it all first-party plugins are on")
  // Each block is expanded and validated by its plugin's schema.
  .meta({ expand: "late", privileged: true })
  .optional();

const flag = z
  .union([z.boolean(), z.string().regex(/^env:[A-Za-z_]\w*$/, { error: "`env:NAME`" })])
  .meta({ expand: "flag" });

/** Keys of `system.server` about workers. */
export const workerSettings = z.object({
  workers: z
    .union([z.literal("auto"), z.int().min(1).max(64)])
    .describe(
      "Processes that serve the site: a number, or `auto` for one per core; `--workers` wins; `dev` ignores it",
    )
    .default(1),
  worker_memory_mb: z
    .int()
    .min(64)
    .nullable()
    .describe("Memory above which a worker is replaced gracefully, in MB; null: no limit")
    .default(null),
  worker_silence_seconds: z
    .int()
    .min(2)
    .max(600)
    .describe("A worker that is blocked for this long is ended and replaced, in seconds")
    .default(20),
});

/** Keys that belong to no plugin. */
export const kernelSettings: SettingsSchemas = {
  site: z.object({
    title: z.string().min(1).describe("Name of the site"),
    description: z.string().describe("One sentence about the site").default(""),
    url: baseUrl
      .describe("Canonical base URL; the allowed CORS origin and the links in mails derive from it")
      .meta({ privileged: true })
      .default("http://localhost:8000"),
    author: z
      .strictObject({
        name: z.string().describe("Name of the author").default(""),
        email: z.string().describe("Address of the author; shown in feeds").default(""),
      })
      .describe("Author of the site")
      .prefault({}),
    metadata: z
      .record(z.string(), z.string())
      .describe("HTML meta tags: name to content")
      .default({}),
    plugins,
    flags: z
      .record(z.string(), flag)
      .describe("Feature flags: true, false, or `env:NAME`")
      .default({}),
  }),
  system: z.object({
    debug: z
      .boolean()
      .describe(
        "Enables in production what is otherwise dev mode only: `POST {admin.path}/api/dev/apply`, error details of `mdx` and `tsx` pages; the log warns at startup",
      )
      .meta({ privileged: true })
      .default(false),
    timezone: z
      .string()
      .refine(isTimezone, {
        error: "an IANA time zone",
        params: { fix: "use a name such as Europe/Berlin or UTC" },
      })
      .describe("IANA time zone for dates without one")
      .default("UTC"),
    logging: z
      .strictObject({
        format: z
          .enum(["text", "json"])
          .describe("Text for people, or one JSON object a line; SITE_LOG_FORMAT wins")
          .default("text"),
        level: z
          .enum(LOG_LEVELS)
          .describe("Minimum severity that is logged; SITE_LOG_LEVEL wins")
          .default("info"),
      })
      .describe("The log on standard output")
      .prefault({}),
    server: z
      .strictObject({
        trust_proxy: z
          .union([
            z.literal(false),
            z.int().min(1).max(100),
            z.array(z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()])),
          ])
          .describe(
            "Proxies in front: false, how many, or their address ranges; decides client address and protocol",
          )
          .meta({ privileged: true })
          .default(false),
        drain_seconds: z
          .number()
          .min(0)
          .max(600)
          .describe(
            "Seconds that a stopping server still serves requests while `/health/ready` responds 503; with a balancer, longer than the interval of its health checks",
          )
          .default(0),
        ...workerSettings.shape,
      })
      .describe("The HTTP server")
      .prefault({}),
  }),
  admin: z.object({
    dataDir: siteFolder("private")
      .describe("Folder of accounts, purchases and uploads, in the site root")
      .default("data"),
    runtimeDir: runtimeFolder,
  }),
};

function isTimezone(value: string): boolean {
  // Skips loading the time zone tables for the default: some milliseconds at startup.
  if (value === "UTC") return true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
