/** The settings of a site. Plugins fill the three files' interfaces by declaration merging. */
import type { LogLevel } from "./environment.js";

/** Keys of `site.yaml`, typed by the plugins that own them. */
export interface SiteSettings {
  title: string;
  description: string;
  /** Canonical base URL without a trailing slash. */
  url: string;
  author: { name: string; email: string };
  metadata: Record<string, string>;
  flags: Record<string, boolean>;
}
/** Keys of `system.yaml`, typed by the plugins that own them. */
export interface SystemSettings {
  debug: boolean;
  /** IANA zone. */
  timezone: string;
  logging: { format: "text" | "json"; level: LogLevel };
  server: ServerSettings;
  /** Limits of the journal of changes. */
}
/** `system.server`; plugins add their own keys to it. */
export interface ServerSettings {
  /** `false`, the number of proxies in front, or their CIDR ranges. */
  trust_proxy: false | number | string[];
  /** Seconds that a stopping server still serves requests while it reports that it is not ready. */
  drain_seconds: number;
  /** Processes that serve the site. */
  workers: "auto" | number;
  /** In MB. */
  worker_memory_mb: number | null;
  worker_silence_seconds: number;
}
/** Keys of `admin.yaml` (top level or below `admin:`), typed by the plugins that own them. */
export interface AdminSettings {
  /** Folder of version-controlled data, relative to the site root. */
  dataDir: string;
  /** Folder of machine-local data, relative to the site root. */
  runtimeDir: string;
}
/** All settings after defaults, files, overlay and flags; deeply frozen. */
export interface Settings {
  readonly site: SiteSettings;
  readonly system: SystemSettings;
  readonly admin: AdminSettings;
}
