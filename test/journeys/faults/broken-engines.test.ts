import assert from "node:assert/strict";
import { definePlugin, engineFailureFields, type Plugin, SiteError } from "#kernel";
import { RecordedLog } from "#lib/testing";
import type { OutgoingMail } from "../../../plugins/email/contract.js";
import type { Browser } from "../../support/browsers/browser.js";
import { gradient } from "../../support/content/pictures.js";
import {
  AUTH_PLUGINS,
  bootAuthSite,
  SITE_URL,
  type AuthSite,
} from "../../support/sites/auth-site.js";
import { until } from "../../support/until.js";

/** Time limit of a call, in ms. */
const LIMIT_MS = 400;

/** What a method does instead of its work. */
const FAILURES: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw new Error("no moon tonight");
  },
  rejects: () => Promise.reject(new Error("no moon tonight")),
  hangs: () => new Promise(() => undefined),
};
const VALUES: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  "a text": "tide",
  "a number": -1.5,
  "an empty object": {},
  "a huge list": Array.from({ length: 200_000 }, () => 7),
};
const NOTHING = ["nothing", "null"];

/** A request that calls a method of an engine. */
interface Row {
  readonly slot: string;
  readonly member: string;
  /** The status of the request; `nth` differs each time. */
  ask(site: Visited, nth: number): Promise<number>;
  /** Statuses while the method fails. */
  readonly answers: readonly number[];
  /** Values that the contract allows; null: all. */
  readonly valid: readonly string[] | null;
  /** The plugin of the engine; default: `tide`. */
  readonly plugin?: string;
  /** True: the call has no time limit. */
  readonly isUnlimited?: boolean;
}
interface Visited {
  readonly site: AuthSite;
  readonly ann: Browser;
}

/** Widths of variants: each request asks for another one. */
const WIDTHS = Array.from({ length: 60 }, (_, at) => 100 + at);
const widthOf = (nth: number): number => WIDTHS[Math.floor(nth / 90) % WIDTHS.length] ?? 100;

const status = async (answer: Promise<Response>): Promise<number> => {
  const response = await answer;
  await response.arrayBuffer();
  return response.status;
};
const anonymous =
  (path: string): Row["ask"] =>
  ({ site }, nth) =>
    status(
      site.fetch(path.replace("{n}", String(1 + (nth % 90))).replace("{w}", String(widthOf(nth)))),
    );
const asAnn =
  (path: string): Row["ask"] =>
  ({ ann }) =>
    status(ann.go(SITE_URL + path));
/** What the last call of a service threw, which a request would log. */
const thrown: { error: unknown } = { error: null };

/** The status that a call of a service would have as a response. */
const serviceStatus = async (work: Promise<unknown>): Promise<number> => {
  try {
    await work;
    return 200;
  } catch (error) {
    thrown.error = error;
    return error instanceof SiteError ? (error.status ?? 500) : 500;
  }
};
/** Saves a page with an image of its own, and shows it. */
const showSaved: Row["ask"] = async ({ site }, nth) => {
  const { site: running } = site;
  await site.write(
    "content/03.green/b.png",
    await gradient(90 + (nth % 60), 45)
      .png()
      .toBuffer(),
  );
  const path = "03.green/default.md";
  const text = `---\ntitle: Green\n---\n\n![B](b.png) Use water ${nth}.\n`;
  const saved = await serviceStatus(
    running.use("content").apply([{ op: "write", path, content: text }]),
  );
  const shown = await status(site.fetch("/green"));
  return saved === 200 ? shown : saved;
};
/** Saves a page, waits for the index, and searches. */
const searchSaved: Row["ask"] = async (visited, nth) => {
  await showSaved(visited, nth);
  await visited.site.site.use("search").refreshRecords();
  return status(visited.site.fetch("/api/search?q=water"));
};
const rebuild: Row["ask"] = async ({ site }) => {
  await site.site.use("search").rebuild();
  return status(site.fetch("/api/search?q=water"));
};

const picture = "/content-media/01.home/a.png?width={w}&format=webp&quality={n}";
const query = "/api/search?q=water";
const account = "ann@example.org";

const ROWS: readonly Row[] = [
  {
    slot: "search",
    member: "search",
    ask: anonymous(`${query}&limit={n}`),
    answers: [503],
    valid: [],
  },
  {
    slot: "search",
    member: "suggest",
    ask: anonymous("/api/search/suggest?q=wa&limit={n}"),
    answers: [503],
    valid: [],
  },
  { slot: "image", member: "process", ask: anonymous(picture), answers: [503], valid: [] },
  { slot: "imageStore", member: "get", ask: anonymous(picture), answers: [200], valid: ["null"] },
  { slot: "imageStore", member: "put", ask: anonymous(picture), answers: [200], valid: null },
  {
    slot: "sessionStore",
    member: "get",
    ask: asAnn("/members"),
    answers: [503, 302],
    valid: NOTHING,
  },
  {
    slot: "userStore",
    member: "get",
    ask: asAnn("/members"),
    answers: [503, 302],
    valid: ["null"],
  },
  {
    slot: "authzStore",
    member: "get",
    ask: asAnn("/members"),
    answers: [503, 200],
    valid: ["null"],
  },
  {
    slot: "rateLimit",
    member: "take",
    ask: anonymous(`${query}&limit={n}`),
    answers: [200],
    valid: [],
  },
  {
    slot: "authorization",
    member: "authorize",
    ask: anonymous("/api/tide"),
    answers: [500],
    valid: ["nothing"],
  },
  { slot: "image", member: "size", ask: showSaved, answers: [200], valid: ["null"] },
  {
    slot: "image",
    member: "look",
    ask: async ({ site }) =>
      serviceStatus(
        site.site.use("media").imageProblem("a.png", await gradient(70, 35).png().toBuffer()),
      ),
    answers: [200],
    valid: [],
  },
  { slot: "search", member: "update", ask: searchSaved, answers: [200], valid: null },
  {
    slot: "search",
    member: "build",
    ask: rebuild,
    answers: [200],
    valid: null,
    isUnlimited: true,
  },
  {
    slot: "userStore",
    member: "findByEmail",
    ask: ({ site }) => serviceStatus(site.site.use("users").findByEmail(account)),
    answers: [503],
    valid: ["null"],
  },
  {
    slot: "userStore",
    member: "list",
    ask: ({ site }) => serviceStatus(site.site.use("users").list()),
    answers: [503],
    valid: [],
  },
  {
    slot: "userStore",
    member: "count",
    ask: ({ site }) => serviceStatus(site.site.use("users").count()),
    answers: [503],
    valid: ["a number"],
  },
  {
    slot: "authzStore",
    member: "update",
    ask: ({ site }, nth) =>
      serviceStatus(
        site.site.use("authz").grant({ user: "u1", relation: "member", object: `group:g${nth}` }),
      ),
    answers: [503],
    valid: [],
  },
  {
    slot: "authzStore",
    member: "users",
    ask: ({ site }) => serviceStatus(site.site.use("authz").sign({ dryRun: true })),
    answers: [503],
    valid: [],
  },
  {
    slot: "changeAnnouncer",
    member: "announce",
    ask: showSaved,
    answers: [200],
    valid: ["null"],
  },
  {
    slot: "mailer",
    member: "send",
    ask: ({ site }, nth) =>
      serviceStatus(
        site.site.use("email").send({ to: account, subject: `Tide ${nth}`, text: "High" }),
      ),
    answers: [200],
    valid: null,
    plugin: "mailbox",
  },
];

describe("a site with a plugin whose engine", function () {
  let visited: Visited;
  let log: RecordedLog;
  /** What fails now. */
  let broken: { slot: string; member: string; act(): unknown } | null = null;
  let nth = 0;
  let mails: OutgoingMail[] = [];

  /** An engine whose methods work until one of them is broken. */
  const breaking = <E extends object>(slot: string, engine: E): E =>
    new Proxy(engine, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]): unknown => {
          const isBroken = broken?.slot === slot && broken.member === key;
          return isBroken ? broken?.act() : Reflect.apply(value, target, args);
        };
      },
    });

  const tide: Plugin = definePlugin({
    name: "tide",
    version: "1.0.0",
    requires: ["search", "media", "session", "users", "security"],
    setup({ engines, hooks, http }) {
      const of = <S extends Parameters<typeof engines.slot>[0]>(slot: S, name: string) => {
        const engine = engines.slot(slot).get(name);
        assert.ok(engine, slot);
        return breaking(slot, engine);
      };
      hooks.on("onSearchEngineCreate", ({ data }) => {
        data.register("tide", of("search", "builtin"));
        data.activate("tide");
      });
      hooks.on("onImageCreate", ({ data }) => {
        data.register("tide", of("image", "sharp"));
        data.activate("tide");
      });
      hooks.on("onImageStoreCreate", ({ data }) => {
        data.register("tide", of("imageStore", "filesystem"));
        data.activate("tide");
      });
      hooks.on("onSessionStoreCreate", ({ data }) => {
        data.register("tide", of("sessionStore", "local"));
        data.activate("tide");
      });
      hooks.on("onUserStoreCreate", ({ data }) => {
        data.register("tide", of("userStore", "local"));
        data.activate("tide");
        data.registerAuthz("tide", of("authzStore", "local"));
        data.activateAuthz("tide");
      });
      engines.activate("changeAnnouncer", of("changeAnnouncer", "process"));
      engines.activate("rateLimit", of("rateLimit", "memory"));
      engines.activate(
        "authorization",
        breaking("authorization", {
          permissions: ["tide.read"],
          authorize: async () => undefined,
        }),
      );
      http.route({
        method: "get",
        path: "/api/tide",
        summary: "Only with permission",
        permission: "tide.read",
        handler: (req, res) => http.json(req, res, { secret: true }),
      });
    },
  });

  before(async () => {
    log = new RecordedLog();
    const site = await bootAuthSite(
      { providers: { magicLink: { enabled: true } } },
      {
        plugins: [...AUTH_PLUGINS, "health", "security", "session", "users"],
        files: {
          "site.yaml": "title: Tea\n",
          "content/01.home/default.md": "---\ntitle: Home\n---\n\n![A](a.png) Water\n",
          "content/01.home/a.png": await gradient(700, 350).png().toBuffer(),
          "content/03.green/default.md": "---\ntitle: Green\n---\n\nUse water.\n",
          "content/members/default.md": "---\ntitle: Members\nroles: any\n---\n# For members\n",
        },
        settings: {
          system: {
            search: { timeout_ms: LIMIT_MS },
            images: {
              allowed_sizes: WIDTHS,
              pictures: false,
              placeholders: false,
              queue: { misses_per_minute: 100_000 },
            },
            server: { rate_limit: 100_000 },
          },
        },
        extraPlugins: [tide],
        mailer: breaking("mailer", { send: async (mail) => void mails.push(mail) }),
        log: log.logger,
        handlerLimitMs: LIMIT_MS,
      },
    );
    ({ mails } = site);
    const ann = await site.loggedIn(account);
    visited = { site, ann };
  });
  after(() => visited.site.close());
  afterEach(() => {
    broken = null;
  });

  const isNamed = ({ slot, member, plugin = "tide" }: Row) =>
    [...log.lines, { level: "error", fields: engineFailureFields(thrown.error) } as const].some(
      ({ level, fields }) => {
        const isFault = level === "warn" || level === "error";
        return (
          isFault &&
          fields["slot"] === slot &&
          fields["enginePlugin"] === plugin &&
          fields["member"] === member &&
          typeof fields["fix"] === "string"
        );
      },
    );

  const cases = [
    ...Object.entries(FAILURES).map(([what, act]) => ({ what, act, value: null })),
    ...Object.entries(VALUES).map(([value, given]) => ({
      what: `returns ${value}`,
      value,
      act: async (): Promise<unknown> => given,
    })),
  ];
  for (const row of ROWS) {
    const { slot, member, answers, valid } = row;
    it(`of the slot ${slot} fails in ${member} serves on, and the log names it`, async function () {
      this.timeout(600_000);
      for (const { what, act, value } of cases) {
        if (what === "hangs" && row.isUnlimited === true) continue;
        // Without the pause after failures, and without a cached response.
        await until(async () => [200, 304].includes(await row.ask(visited, (nth += 1))));
        log.lines.length = 0;
        thrown.error = null;
        broken = { slot, member, act };
        const isValid = value !== null && (valid === null || valid.includes(value));
        const status = await row.ask(visited, (nth += 1));
        if (!isValid) {
          assert.ok(answers.includes(status), `${slot}.${member} ${what}: ${status}`);
          // A guard reports an outage from the third failure on.
          await until(async () => {
            if (isNamed(row)) return true;
            await row.ask(visited, (nth += 1));
            return isNamed(row);
          }).catch(() => assert.fail(`${slot}.${member} ${what}: ${JSON.stringify(log.lines)}`));
        }
        for (const path of ["/", "/green", "/health", "/api/pages"]) {
          const response = await visited.ann.go(SITE_URL + path);
          assert.equal(response.status, 200, `${slot}.${member} ${what}: ${path}`);
        }
        broken = null;
        // A guard that has reported an outage reports its end.
        const isBack = (): boolean => log.lines.some(({ event }) => event.endsWith("_back"));
        if (log.lines.every(({ event }) => !event.endsWith("_down"))) continue;
        await until(async () => {
          await row.ask(visited, (nth += 1));
          return isBack();
        });
      }
    });
  }
});
