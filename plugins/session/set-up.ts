import { join } from "node:path";
import {
  closeEngines,
  engineFailureFields,
  type EngineSlot,
  type SiteContext,
  SiteError,
  within,
} from "#kernel";
import { StoreGuard } from "#lib/stores";
import type { SessionStore } from "./contract.js";
import { KvSessionStore } from "./engines/kv.js";
import { LocalSessionStore } from "./engines/local.js";
import { RedisSessionStore } from "./engines/redis.js";
import type { RequestSessionOptions } from "./routes/request-session.js";
import { Secrets } from "./secret.js";
import { SessionRecords, storeDown, storeCalls, storeProblem } from "./session-records.js";
import { Sessions } from "./session-service.js";
import { NotedSessions } from "./session-list.js";

/** Registers what the plugin does in a site that starts. */
export async function setUpSession(site: SiteContext): Promise<void> {
  const slot = site.engines.open("sessionStore", storeProblem, storeCalls);
  const local = new LocalSessionStore(join(site.paths.runtime, "sessions"));
  const records = new SessionRecords({
    store: () => site.runtime.trace.traced("store.session", slot.active),
    guards: {
      read: storeGuard(site, slot, "read"),
      write: storeGuard(site, slot, "write"),
    },
    clock: site.runtime.clock,
    claim: (key, ttlSeconds) => local.claim(key, ttlSeconds),
  });
  const secrets = new Secrets({
    configured: site.runtime.env.get("SITE_AUTH_SECRET"),
    runtime: site.paths.runtime,
  });
  const { log } = site;
  const { clock } = site.runtime;
  const isSecure = site.runtime.env.mode !== "dev";
  const sessions = new Sessions({ records, secrets, clock, log, isSecure });
  site.provide("session", sessions);
  const store = site.use("records");
  const list = { session: sessions, store, clock, log };
  site.provide("sessionLists", {
    admin: new NotedSessions({ ...list, kind: "admin" }),
    visitor: new NotedSessions({ ...list, kind: "visitor" }),
  });
  await mountForPlugins(site, {
    records,
    secret: () => secrets.deriveSync("request-session"),
    setUnavailable: (req) => sessions.setUnavailable(req),
    isUnavailable: (req) => sessions.isUnavailable(req),
    hasOwnSession: (req) => sessions.hasOwnSession(req),
  });
  registerStores(site, slot, local);
  site.lifecycle.onReady(() => chooseStore(site, slot));
  site.lifecycle.onReady(() => openStore(site, slot));
  site.lifecycle.onReady(() => keepSweeping(site, slot));
  site.lifecycle.onClose(() => closeEngines(slot, log));
}

/** Default time limit of a store call, in ms. */
const READ_MS = 500;

const WRITE_MS = 5_000;

/** How long startup waits for the store. */
const OPEN_MS = 2_000;

/** Interval between two sweeps of expired sessions. */
const SWEEP_MS = 10 * 60_000;

/** First-party plugins do not use `req.session`: a site without others does not load it. */
async function mountForPlugins(site: SiteContext, options: RequestSessionOptions): Promise<void> {
  if (site.runtime.plugins().every(({ firstParty }) => firstParty)) return;
  const { mountRequestSession } = await import("./routes/request-session.js");
  mountRequestSession(site, options);
}

function registerStores(
  site: SiteContext,
  slot: EngineSlot<SessionStore>,
  local: LocalSessionStore,
): void {
  const { url } = site.settings.system.session_store;
  slot.register("local", local);
  const file = join(site.paths.runtime, "sessions.sqlite");
  slot.register("kv", new KvSessionStore(file, () => site.runtime.clock.now()));
  if (url !== null) slot.register("redis", new RedisSessionStore(url, site.log));
}

async function chooseStore(site: SiteContext, slot: EngineSlot<SessionStore>): Promise<void> {
  const section = site.settings.system.session_store;
  await site.hooks.run("onSessionStoreCreate", {
    register: (name, store) => slot.register(name, store),
    activate: (name) => slot.activate(name),
    settings: section,
  });
  if (slot.activeName === null) {
    if (section.type === "redis" && section.url === null) {
      throw new SiteError(
        "ERR_SESSION_STORE_URL",
        '`session_store.type` is "redis" and `session_store.url` is null',
        {
          fix: "set system.session_store.url to redis://host:port",
        },
      );
    }
    slot.activate(section.type);
  }
  if (slot.activeName === "redis" && site.runtime.env.get("SITE_AUTH_SECRET") === undefined) {
    site.log.warn("session.secret_not_shared", {
      fix: "set SITE_AUTH_SECRET to the same value on every node that shares the store",
    });
  }
}

/**
 * A store that is down delays neither startup nor, later, a page.
 * @throws SiteError for a store that cannot work here, such as a missing driver.
 */
async function openStore(site: SiteContext, slot: EngineSlot<SessionStore>): Promise<void> {
  const opening = async (): Promise<void> => {
    try {
      await slot.active.open?.();
    } catch (error) {
      if (error instanceof SiteError) throw error;
      site.log.warn("session.store_not_open", engineFailureFields(error));
    }
  };
  await within(OPEN_MS, opening(), () => undefined);
}

function keepSweeping(site: SiteContext, slot: EngineSlot<SessionStore>): void {
  const sweep = async (): Promise<void> => {
    try {
      await slot.active.sweep?.(site.runtime.clock.now());
    } catch (error) {
      site.log.warn("session.sweep_failed", engineFailureFields(error));
    }
  };
  const timer = setInterval(() => void sweep(), SWEEP_MS);
  timer.unref();
  site.lifecycle.onClose(() => clearInterval(timer));
}

function storeGuard(
  site: SiteContext,
  slot: EngineSlot<SessionStore>,
  call: "read" | "write",
): StoreGuard {
  const limitMs = (): number => {
    const { readMs = READ_MS, writeMs = WRITE_MS } = slot.active.limits ?? {};
    return call === "read" ? readMs : writeMs;
  };
  return new StoreGuard({
    limitMs,
    monotonic: () => performance.now(),
    toError: storeDown,
    onChange: ({ isDown, error }) => {
      if (!isDown) return site.log.info("session.store_back", { call });
      const { activeName: engine, activePlugin: enginePlugin } = slot;
      const fields = { call, engine, enginePlugin, ...engineFailureFields(error) };
      return site.log.error("session.store_down", fields);
    },
  });
}
