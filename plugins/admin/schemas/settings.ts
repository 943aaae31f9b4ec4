import { z } from "zod";
import { anyMap, changed, error, formField, listOf, missing, text } from "./values.js";

const file = z.object({
  file: z.enum(["site", "system", "admin"]),
  path: text,
  exists: z.boolean(),
  hash: text,
  values: anyMap,
});
const written = file.extend({ restart: z.literal(true) });
/** Keys to set in a file or a block. */
const changes = z.object({
  changes: z
    .array(z.object({ key: z.string().min(1).max(512), value: z.json() }))
    .min(1)
    .max(200)
    .describe("Dotted keys with their new values; null removes a key"),
});
/** A part of a JSON Schema, with the keywords that forms read. */
const jsonSchema = z.looseObject({
  type: z.union([text, z.array(text)]).optional(),
  description: text.optional(),
  default: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  required: z.array(text).optional(),
  get anyOf() {
    return z.array(jsonSchema).optional();
  },
  get items() {
    return jsonSchema.optional();
  },
  get properties() {
    return z.record(z.string(), jsonSchema).optional();
  },
});
const plugin = z
  .object({
    name: text,
    version: text,
    state: text,
    src: text.nullable(),
    keys: z
      .object({ site: z.array(text), system: z.array(text), admin: z.array(text) })
      .describe("Its keys in the configuration files"),
    at: text.nullable().describe("Key of its `config:` block in site.yaml; null: it has no entry"),
    schema: jsonSchema.nullable().describe("Of the block; null without one"),
    values: anyMap.describe("Of the block as written, with masked secrets"),
  })
  .meta({ id: "PluginSettings", description: "The settings of a plugin" });
const theme = z
  .object({
    name: text,
    version: text,
    description: text,
    parent: text.nullable(),
    colors: z.array(text).describe("`#rrggbb`"),
    looks: z
      .record(z.string(), text)
      .describe("Values of theme.look: descriptions by name, the default first"),
    fields: z.array(formField).describe("Its settings: `config_schema` of its theme.yaml"),
    problem: text.nullable().describe("Why it cannot be used; null when it can"),
  })
  .meta({ id: "InstalledTheme", description: "A theme that can be chosen" });

const address = text.min(1).max(2048);
const redirect = z
  .object({
    from: text.describe("Old address"),
    location: text.describe("New address"),
    problem: text.nullable().describe("Why it does not help, null when it does"),
  })
  .meta({ id: "Redirect", description: "A redirect of site.yaml" });
const addresses = z.object({ from: address, location: address });
const redirected = {
  200: z.object({ from: text, location: text, hash: text }),
  404: error,
  409: error,
};

const word = text.min(1).max(100);
const synonymLists = z.object({
  groups: z.array(z.array(word)).describe("Words that mean the same"),
  one_way: z.record(word, z.array(word)).describe("A word to what is found in its place as well"),
  stop: z.array(word).describe("Words for which nothing similar is looked up"),
});
const synonyms = z.object({
  path: text,
  hash: text,
  problem: text.nullable().describe("Why the file cannot be used; null when it can"),
  lists: z
    .record(z.string(), synonymLists)
    .describe("By language; those of all under an empty name"),
  languages: z.array(text),
});
const suggestion = z.object({
  word: text.describe("Searched without a result"),
  searches: z.int(),
  candidates: z.array(text).describe("Words of the site that readers may have meant"),
});
const explanation = z.object({
  score: z.number(),
  terms: z.array(
    z.object({
      term: text,
      matches: z.array(z.object({ field: text, count: z.number(), points: z.number() })),
    }),
  ),
  exactTitle: z.number().describe("Points for a title equal to the query"),
  factor: z.number().describe("1.5 when every one of several words matches"),
});
const hit = z.object({ route: text, title: text, template: text, score: z.number() });

/** Configuration files, plugins, themes, redirects and search: queries, bodies and responses by route. */
export const settingsApi = {
  "GET /settings/:file": { responses: { 200: file.extend({ schema: jsonSchema }), ...missing } },
  "PATCH /settings/:file": { body: changes, responses: { 200: written, ...changed } },
  "PUT /settings/:file": {
    body: z.object({ content: z.string() }),
    responses: { 200: written, ...changed },
  },
  "GET /settings/plugins": {
    responses: { 200: listOf(plugin).extend({ path: text, hash: text }) },
  },
  "PATCH /settings/plugins/:name": {
    body: changes,
    responses: {
      200: z.object({ name: text, values: anyMap, hash: text, restart: z.literal(true) }),
      404: error,
      409: error,
    },
  },
  "GET /themes": {
    responses: {
      200: listOf(theme).extend({
        active: text.describe("The theme that draws the pages now"),
        home: text.nullable().describe("Source path of the home page, for a preview"),
      }),
      ...missing,
    },
  },
  "GET /redirects": {
    responses: {
      200: listOf(redirect).extend({
        hash: text.describe("Of site.yaml: the `ETag`"),
        status: z.union([z.literal(301), z.literal(302)]),
      }),
      ...missing,
    },
  },
  "GET /redirects/test": {
    query: z.object({ address }),
    responses: {
      200: z.object({
        steps: z
          .array(z.object({ from: text, location: text, status: z.int() }))
          .describe("The redirects on the way"),
        end: z.enum(["page", "restricted", "file", "route", "outside", "loop", "nothing"]),
        address: text.describe("Where the way ends"),
        sourcePath: text.nullable().describe("Of the page at the end"),
      }),
      400: error,
    },
  },
  "POST /redirects": { body: addresses, responses: redirected },
  "PATCH /redirects": {
    body: addresses.extend({ was: address.describe("The old address before the change") }),
    responses: redirected,
  },
  "DELETE /redirects": {
    query: z.object({ from: address }),
    responses: { 200: z.object({ removed: z.literal(true), hash: text }), 404: error, 409: error },
  },
  "GET /search/explain": {
    query: z.object({
      q: text.max(256),
      lang: text.max(20).optional().describe("Pages of this language; default: all"),
    }),
    responses: {
      200: z.object({
        total: z.int(),
        items: z.array(hit.extend({ explanation: explanation.nullable() })),
        similar: z.array(hit.extend({ matched: z.enum(["typo", "synonym", "stem", "part"]) })),
        didYouMean: text.nullable(),
        engine: text,
      }),
      404: error,
      503: error,
    },
  },
  "GET /search/synonyms": { responses: { 200: synonyms, ...missing } },
  "GET /search/synonyms/suggestions": {
    responses: { 200: z.object({ items: z.array(suggestion) }), 404: error, 503: error },
  },
  "PUT /search/synonyms": {
    body: z.object({ lang: text.max(20).default(""), lists: synonymLists }),
    responses: { 200: synonyms, 404: error, 409: error },
  },
};
