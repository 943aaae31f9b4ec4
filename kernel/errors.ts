import { SiteError } from "#lib/errors";

/** A method of an engine, as messages and logs name it. */
export interface EngineMember {
  readonly slot: string;
  readonly engine: string;
  /** The plugin that registered the engine. */
  readonly enginePlugin: string;
  /** `get`; `collection.get` for a method of what `collection` returned. */
  readonly member: string;
}

/**
 * A call of an engine that another plugin registered has failed: it threw what its contract does not name, or
 * returned a wrong value, or took too long. Not a `SiteError`: callers take it for an outage of the engine.
 */
export class EngineError extends Error {
  override readonly name: string = "EngineError";
  /** `ERR_ENGINE_VALUE`, `ERR_ENGINE_FAILED`, or that of a system error such as `ENOSPC`. */
  readonly code: string;
  readonly fix: string;
  readonly of: EngineMember;
  /** The reason of the failure, without who failed. */
  readonly reason: string;

  constructor(of: EngineMember, reason: string, { code, fix, cause }: EngineErrorOptions) {
    const { slot, engine, enginePlugin, member } = of;
    const who = `\`${slot}.${member}\` of the engine "${engine}" of plugin "${enginePlugin}"`;
    super(`${who} failed: ${reason}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.fix = fix;
    this.of = of;
    this.reason = reason;
  }
}

/** Options of an `EngineError`. */
export interface EngineErrorOptions {
  readonly code: string;
  readonly fix: string;
  readonly cause?: unknown;
}

/** Options of the error of an invalid option. */
export interface OptionErrorOptions {
  readonly fix: string;
  readonly cause?: unknown;
}

/** The error of a command that could not run, because an option or argument is invalid. */
export function optionError(message: string, options: OptionErrorOptions): SiteError {
  return new SiteError("ERR_CLI_OPTION", message, { ...options, exitCode: 2 });
}

/** Error codes of the kernel, each with its meaning and fix. */
export const kernelErrors = {
  ERR_COMMAND_DUPLICATE:
    "A plugin declares a command that another plugin, or the kernel, has: rename it.",
  ERR_COMMAND_FAILED:
    "A command of a plugin has thrown: the message names the plugin, and the lines below it the place.",
  ERR_COMMAND_VALUE:
    "A command of a plugin returned something other than an exit code: return a whole number from 0 to 255, or nothing.",
  ERR_ROUTE_INVALID: "A plugin declares a route with a wrong or unknown key: the message names it.",
  ERR_ROUTE_DUPLICATE:
    "Two plugins declare the same route, or one mounts a router above a route of the other: change a path, or set `override: true`.",
  ERR_ROUTE_PERMISSION:
    "A route needs a permission, and no selected plugin checks permissions: select the plugin admin, or correct the name.",
  ERR_CALL_ARGUMENT:
    "A plugin calls a method of the site with a wrong argument: the message names the plugin, the method and the argument.",
  ERR_CONFIG_INVALID:
    "The configuration has problems; each is listed with file, line, key and fix.",
  ERR_HTTP_PARAMETER:
    "A parameter of a request is missing or invalid (400): the message and `details` name it and what is expected.",
  ERR_CONFIG_KEY_TAKEN: "Two plugins declare the same configuration key: rename it in one of them.",
  ERR_CONFIG_ROOT: "The folder given with --root does not exist, or is a file: correct the path.",
  ERR_CONFIG_MODE: "The mode given with --env is neither dev nor production.",
  ERR_CONFIG_KEY: "A key of a configuration file cannot be set: the message says why.",
  ERR_CONFIG_CHANGED:
    "A configuration file has changed since it was read: read it, merge, save again.",
  ERR_CONFIG_REFUSED:
    "The change would make the configuration invalid: the details list each problem.",
  ERR_CONFIG_LOCKED: "Another process is writing the configuration: try again when it is done.",
  ERR_PLUGIN_INVALID: "A plugin's module does not export a plugin: give it a name and a version.",
  ERR_PLUGIN_RESTART:
    "Another version of a package of a plugin was installed while the server runs: restart it.",
  ERR_PLUGIN_DUPLICATE: "Two plugins have the same name: rename one or remove it from `plugins:`.",
  ERR_PLUGIN_MISSING: "A plugin requires another one that is not selected: add it to `plugins:`.",
  ERR_PLUGIN_CYCLE:
    "Plugins require each other in a cycle: replace one `requires` or `after` with a hook or an optional service.",
  ERR_PLUGIN_ENGINE: "A plugin needs another version of the plugin API: update the plugin.",
  ERR_PLUGIN_LOAD:
    "A plugin's module could not be loaded: the message names file, line and column.",
  ERR_TRACER_DUPLICATE: "Two plugins record traces: select one of them.",
  ERR_PLUGIN_SETUP: "A plugin's setup failed: the message names the plugin and the cause.",
  ERR_PLUGIN_UNKNOWN: "No first-party plugin has this name: correct it or give the entry a `src`.",
  ERR_HOOK_UNKNOWN: "A plugin listens to an undeclared hook: correct the name.",
  ERR_HOOK_KIND:
    "A hook is declared with two kinds, or fired with the verb of another one: use one kind and its verb (run, transform or notify).",
  ERR_HOOK_NAME: "A hook's name does not look like an event: name it like onOrderPaid.",
  ERR_HOOK_DUPLICATE:
    "Two definitions have the same hook name: rename one, or export one and use it in both places.",
  ERR_HOOK_HANDLER: "What a plugin passed to `hooks.on` is no function: pass a handler.",
  ERR_HOOK_FAILED:
    "A handler of a startup hook failed with an error that has no code: the message names plugin and hook.",
  ERR_HOOK_TIMEOUT: "A hook's handler did not finish within its time limit.",
  ERR_HOOK_VALUE:
    "A handler has set a payload that the hook does not accept, so the last valid one is used: pass the whole payload to `setData`.",
  ERR_SERVICE_DUPLICATE: "Two plugins provide the same service: select one of them.",
  ERR_SERVICE_UNKNOWN:
    "A service is used that no selected plugin provides: select or require its plugin.",
  ERR_ENGINE_DUPLICATE: "Two engines of one slot have the same name: rename one.",
  ERR_ENGINE_UNKNOWN: "The config or a plugin names an engine that is not registered.",
  ERR_ENGINE_INVALID:
    "An engine lacks a method of its slot, or has a member of another type, which the message names: implement the contract that the reference shows.",
  ERR_ENGINE_FAILED:
    "A method of an engine threw, or did not answer in time: the message names slot, method, engine and plugin.",
  ERR_ENGINE_VALUE:
    "A method of an engine returned something other than the contract of its slot says: the message names the method, what is expected and what came.",
  ERR_ENGINE_CONFLICT:
    "Two plugins choose the engine of one slot: select one of them, or activate with `wraps` the engine that stands on the other.",
  ERR_ENGINE_NONE: "A slot has no active engine: activate one in its create hook.",
  ERR_ENGINE_SLOT_OPEN: "A slot was opened twice: only the plugin that uses it opens it.",
  ERR_ENGINE_SLOT_UNKNOWN: "A slot is used that no selected plugin opens.",
  ERR_EXTENSION_OPEN: "An extension list was opened twice: only the plugin that uses it opens it.",
  ERR_EXTENSION_INVALID:
    "A plugin adds a value of the wrong type to an extension list: add what the reference of the list shows.",
  ERR_EXTENSION_CONFLICT:
    "Two plugins add the same key to an extension list: rename one, or select one of the plugins.",
  ERR_EXTENSION_UNKNOWN:
    "A plugin adds to a list whose name is almost that of an open one: correct the name.",
  ERR_EXTENSION_TIMEOUT: "An extension did not finish within its time limit.",
  ERR_EXTENSION_VALUE:
    "An extension returned a wrong value, so it is left out: return what the reference of the list shows.",
  ERR_CLI_OPTION:
    "An option or argument of a command is invalid: the message names it and the value.",
  ERR_SITE_MOUNT:
    "`site.handler` is mounted at another path than that of `url`: make the two equal, as links and cookies have the path of `url`.",
  ERR_SITE_STARTING:
    "The site is not ready yet (503): wait for `/health/ready`. Logged at level `debug`.",
  ERR_SEALED: "Registries are sealed after the boot: register in setup or in a create hook.",
  ERR_CHANGES_GONE:
    "The changes after this cursor are no longer stored (410): read everything again.",
  ERR_CACHE_DUPLICATE: "Two plugins open a cache space of the same name: rename one of them.",
  ERR_PORT_IN_USE: "Another process listens on the port: stop it or choose another with --port.",
  ERR_SITE_CHECK:
    "A site that was to replace the running one failed a check: the message names the address and the response. The running site goes on.",
  ERR_ROOT_LOCKED: "Another server runs on this site root: stop it, or serve another root.",
  ERR_FIELD_KIND:
    "A plugin adds a kind of fields whose name is taken or not of lower-case letters, digits and hyphens: choose another name.",
  ERR_WORKERS_ALONE:
    "No selected plugin connects the workers: select `cluster`, or serve with one worker.",
  ERR_WORKERS_SILENT:
    "A worker or the primary process did not reply in time (503): try again; workers that end are replaced.",
  ERR_PACKAGE_MISSING:
    "A setting or a command needs a package that only some sites have: run the command of the fix in the site root.",
  ERR_POSTGRES_URL:
    "State is to be stored in PostgreSQL and its address is missing or invalid: set SITE_DB_URL.",
  ERR_POSTGRES_LOGIN:
    "PostgreSQL rejects the user, the password or the database of SITE_DB_URL: correct them.",
  ERR_POSTGRES_UNREACHABLE:
    "PostgreSQL does not accept connections at startup: start it, or correct SITE_DB_URL.",
  ERR_POSTGRES_RIGHTS:
    "The role of SITE_DB_URL may not create what the site stores: run the `grant` of the fix as an administrator.",
  ERR_POSTGRES_SITE:
    "The database belongs to another site: set SITE_DB_URL to a database of this site's own.",
  ERR_DATABASE_NEWER:
    "A newer version of Sitewright has changed the tables of this database: run that version, or restore a backup.",
  ERR_SQLITE_MISSING:
    "No driver for SQLite is installed: run `npm rebuild better-sqlite3 --ignore-scripts=false`, or use Node 22.13 or newer.",
} as const;
