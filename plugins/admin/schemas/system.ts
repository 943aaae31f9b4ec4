import { z } from "zod";
import { anyPaths, ownPermissions } from "./accounts.js";
import { anyMap, changed, count, error, listOf, person, sliceQuery, text, time } from "./values.js";

const node = text.optional().describe("Several nodes: the one that stored it");
const pluginState = z.enum(["active", "failed", "disabled"]);
const plugin = z.looseObject({ name: text, version: text, hooks: z.array(text), state: text });
const runningPlugin = z.object({
  name: text,
  version: text,
  hooks: z.array(text),
  state: pluginState,
  error: text.optional().describe("Why it did not start"),
  failingHooks: z.array(text).optional().describe("Hooks that are disabled because they fail"),
  problem: text.optional().describe("What `health` says about it"),
});
const delivery = z
  .object({
    id: text,
    endpointUrl: text,
    endpointLabel: text,
    endpointIndex: count,
    event: text,
    payload: anyMap,
    attempts: z.array(
      z.object({
        attemptNumber: count,
        timestamp: text,
        statusCode: count,
        success: z.boolean(),
        errorMessage: text.optional(),
      }),
    ),
    finalStatus: z.enum(["success", "failed", "pending"]),
    createdAt: time,
    redeliveryOf: text.optional().describe("The delivery that this one repeats"),
    node,
  })
  .meta({ id: "Delivery", description: "A delivery of a webhook" });
const endpoint = z.object({
  id: text.describe("Index in `webhooks` of admin.yaml: names the endpoint for a replay"),
  label: text,
  url: text,
  events: z.array(text),
  enabled: z.boolean(),
});
const replayed = z.object({
  events: count.describe("Queued, each as a new delivery; with `dryRun` only counted"),
  cursor: text.describe("Continue from here"),
  more: z.boolean(),
});
const outcome = z.enum(["success", "failure"]);
const auditEntry = z.object({
  id: text,
  ts: time,
  event: text,
  actor: person.nullable(),
  ip: text,
  target: z.object({ type: text, id: text }).nullable(),
  detail: anyMap,
  outcome,
  node,
});
const queryCount = z.object({ query: text, count, avgResults: z.number() });
const jobState = z.enum(["waiting", "running", "dead"]);
const job = z
  .object({
    id: text,
    queue: text,
    key: text,
    group: text,
    state: jobState,
    attempts: count,
    createdAt: time,
    runAt: time,
    startedAt: time.nullable(),
    lastError: text.nullable(),
  })
  .meta({ id: "Job", description: "A stored job" });
const queue = z.object({ waiting: count, running: count, dead: count });

const space = z
  .object({
    name: text,
    entries: count,
    bytes: count,
    maxBytes: count,
    evictions: count,
    hits: count,
    misses: count,
    hitRate: z.number().nullable(),
  })
  .meta({ id: "CacheSpace", description: "The cached values of one kind" });
const dropped = z.object({
  at: time,
  reason: z.enum(["tag", "expired", "evicted", "cleared", "idle"]),
  tag: text.optional().describe("What changed"),
});
/** Why a value is, or is no longer, cached. */
export const cacheExplanation = z
  .object({
    space: text,
    state: z.enum(["cached", "being made", "absent"]),
    bytes: count.nullable(),
    tags: z.array(text).describe("Tags of the content that it was built from"),
    since: time.nullable(),
    until: time.nullable(),
    dropped: dropped.nullable().describe("The last time it was dropped, while that is remembered"),
  })
  .meta({ id: "CacheExplanation", description: "Why a value is, or is no longer, cached" });
/** The spaces of the cache. */
export const cacheSpaces = listOf(space).extend({ entries: count, bytes: count });
/** The cache entry of one address. */
export const cacheOfPath = listOf(cacheExplanation).extend({ path: text, cached: z.boolean() });

const changeResult = z.object({
  op: text,
  path: text.optional(),
  key: text.optional(),
  spec: text.optional(),
  status: text,
  errors: z.array(text),
});

/** The session, state and logs of the site: queries, bodies and responses by route. */
export const systemApi = {
  "GET /session": {
    responses: {
      200: z.object({
        user: z.object({ id: text, name: text, email: text, roles: z.array(text) }),
        permissions: z.array(text),
        paths: anyPaths,
        ownPages: ownPermissions,
        csrfToken: text.nullable(),
      }),
    },
  },
  "GET /introspect": {
    responses: {
      200: z.object({
        pages: z.object({ total: count, published: count, drafts: count }),
        plugins: z.array(runningPlugin),
        theme: z.object({ name: text, templates: z.array(text) }),
        forms: z.array(z.object({ name: text, enabled: z.boolean() })),
        config: z.object({ title: text, url: text }),
      }),
    },
  },
  "GET /plugins": { responses: { 200: listOf(plugin) } },
  "GET /search/analytics": {
    responses: {
      200: z.object({
        totalSearches: count,
        topQueries: z.array(queryCount),
        zeroResultQueries: z.array(z.object({ query: text, count })),
      }),
    },
  },
  "GET /audit": {
    query: z.object({
      ...sliceQuery(200),
      event: z.string().max(100).optional(),
      actor: z.string().max(100).optional(),
      outcome: outcome.optional(),
    }),
    responses: { 200: z.object({ entries: z.array(auditEntry), total: count }) },
  },
  "GET /webhooks": { responses: { 200: listOf(endpoint) } },
  "GET /webhooks/deliveries": { responses: { 200: listOf(delivery) } },
  "POST /webhooks/deliveries/:id/redeliver": { responses: { 202: delivery, ...changed } },
  "POST /webhooks/:id/replay": {
    body: z.object({
      since: z.string().max(100).describe("A cursor of `GET /api/changes`"),
      dryRun: z.boolean().describe("True: only count the events").default(false),
    }),
    responses: { 200: replayed, 202: replayed, ...changed, 410: error },
  },
  "GET /jobs": {
    query: z.object({
      ...sliceQuery(500),
      queue: z.string().max(100).optional(),
      state: jobState.optional(),
    }),
    responses: { 200: listOf(job).extend({ queues: z.record(z.string(), queue) }) },
  },
  "POST /jobs/:id/retry": { responses: { 202: job, ...changed } },
  "GET /cache": {
    query: z.object({
      path: z.string().min(1).max(8_192).optional().describe("Explain this address: `/blog`"),
    }),
    responses: { 200: z.union([cacheSpaces, cacheOfPath]) },
  },
  "GET /events": {
    query: z.object({
      since: text
        .max(100)
        .optional()
        .describe("Cursor to begin after, as `Last-Event-ID`, which wins"),
    }),
    responses: { 200: null, 429: error },
  },
  "POST /events/presence": {
    body: z.object({
      path: z.string().min(1).max(1024).nullable().describe("The page that is open; null: none"),
    }),
    responses: { 200: z.object({ people: z.array(person) }) },
  },
  "POST /dev/apply": {
    responses: {
      200: z.object({
        dry_run: z.boolean(),
        results: z.array(changeResult),
        summary: z.object({ total: count, valid: count, errors: count }),
      }),
      ...changed,
    },
  },
};
