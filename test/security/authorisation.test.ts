import assert from "node:assert/strict";
import { z } from "zod";
import { count, printCounts } from "../support/rights/report.js";
import {
  bootRights,
  HIDDEN,
  type Identity,
  type RightsSite,
} from "../support/rights/rights-site.js";
import {
  initOf,
  requestsFor,
  routeName,
  type DeclaredRoute,
  type RouteRequest,
  type Subject,
} from "../support/rights/route-requests.js";

const page = (title: string, more = ""): string => `---\ntitle: ${title}\n${more}---\nText.\n`;
const own = subjectIn("02.blog/01.draft", "/blog/draft");
const foreign = subjectIn("03.shop/01.plans", "/shop/plans");
const content = {
  "01.home/default.md": page("Home"),
  "02.blog/default.md": page("Blog"),
  "02.blog/01.draft/default.md": page("Draft", "status: draft\n"),
  "02.blog/01.draft/file.pdf": "%PDF-1.4\n",
  "02.blog/02.other/default.md": page("Other", "status: draft\n"),
  "03.shop/default.md": page("Shop"),
  "03.shop/01.plans/default.md": page(`${HIDDEN} plans`, "status: draft\n"),
  "03.shop/01.plans/file.pdf": "%PDF-1.4\n",
  "03.shop/02.other/default.md": page(`${HIDDEN} members`, "roles: [member]\n"),
  "02.blog/08.deleted/default.md": page("Deleted", "status: draft\n"),
  "03.shop/08.deleted/default.md": page(`${HIDDEN} deleted`, "status: draft\n"),
  "02.blog/07.conflict/default.md": page("Conflict", "status: draft\n"),
  "03.shop/07.conflict/default.md": page(`${HIDDEN} conflict`, "status: draft\n"),
};

function subjectIn(folder: string, route: string): Subject {
  return {
    path: `${folder}/default.md`,
    to: `${folder.replace(/\/\d+\.\w+$/, "/09.moved")}/default.md`,
    sibling: `${folder.replace(/\/.*/, "")}/02.other/default.md`,
    media: `${folder}/file.pdf`,
    fileName: "new.pdf",
    route,
    content: page("Changed", "status: draft\n"),
    frontmatter: [{ title: "Changed" }],
    ids: {},
  };
}

/** What the rule of the page "Security" expects. */
type Expected =
  "login" | "signed out" | "forbidden" | "forbidden path" | "allowed" | "filtered" | "open";
/** An answer that a matrix looks at. */
interface Answered {
  status: number;
  text: string;
  location: string;
}

const isInPanel = ({ path }: DeclaredRoute): boolean =>
  path === "/admin" || path.startsWith("/admin/");
const isApi = ({ path }: DeclaredRoute): boolean => path.startsWith("/admin/api/");
const isRead = ({ method }: DeclaredRoute): boolean => method === "get";
const isGuarded = (route: DeclaredRoute): boolean =>
  isInPanel(route) && !OPEN.has(route.permission ?? "none");
const OPEN = new Set(["none"]);
const isAboutPages = (permission: string): boolean => /^(?:pages|media)\./.test(permission);
const isForSessions = ({ path }: DeclaredRoute): boolean =>
  /^\/admin\/api\/(?:me|agent-writes)(?:\/|$)/.test(path);

/** True for a request that gives another account the role of an author. */
function givesRole(values: RouteRequest["values"]): boolean {
  return "role" in values || "roles" in values;
}

/** Rights that a request needs beside the permission of its route, by what it asks for. */
function otherRights({ route, values }: RouteRequest): string[] {
  const asked = JSON.stringify(values);
  const needed: string[] = [];
  // Users give only what they have.
  if (route.path.endsWith("/tokens")) needed.push("pages.read");
  if (givesRole(values)) needed.push("pages.read", "pages.create", "pages.update", "flex.read");
  if (/"(?:to|status)":"published"|"op":"publish"/.test(asked)) needed.push("pages.publish");
  if (/"op":"delete"/.test(asked)) needed.push("pages.delete");
  if (/"op":"config"|flex-objects\//.test(asked)) needed.push("config.update");
  if (/plugin\.install|themes\//.test(asked)) needed.push("plugins.manage");
  if (/drafts\/.*\/publish/.test(route.path)) needed.push("pages.create");
  return needed;
}

/** The rule. `isForeign`: the request names a path outside of those of a limited identity. */
function expectedFor(identity: Identity, request: RouteRequest, isForeign: boolean): Expected {
  const { route } = request;
  const { permission = "none" } = route;
  if (!isGuarded(route)) return "open";
  if (identity.kind === "none") return !isApi(route) && isRead(route) ? "login" : "signed out";
  const holds =
    permission === "any" ? identity.permissions.size > 0 : identity.permissions.has(permission);
  if (!holds) return "forbidden";
  if (isForSessions(route) && identity.kind === "token") return "forbidden";
  if (!identity.hasPaths || !isAboutPages(permission)) return "allowed";
  if (!request.isAboutSubject) return "filtered";
  return isForeign ? "forbidden path" : "allowed";
}

/** Why an answer is not the expected one; null when it is. */
function problemOf(
  { status, text, location }: Answered,
  expected: Expected,
  { identity, request }: { identity: Identity; request: RouteRequest },
): string | null {
  switch (expected) {
    case "login":
      return status === 302 && location.startsWith("/admin/login") ? null : "302 to the login";
    case "signed out":
      return status === 401 ? null : "401";
    case "forbidden":
      return status === 403 ? null : "403";
    case "forbidden path":
      return isRefusedPath(status, text) ? null : "403 that names the path";
    case "filtered":
    case "allowed": {
      if (status === 401 || status >= 500) return "no 401 and no 5xx";
      if (status !== 403) return null;
      if (expected === "filtered" || isWholeSite(text)) return null;
      return isOtherRefusal(identity, request) ? null : "no 403";
    }
    case "open":
      return null;
  }
}

/** A refusal for what the request asks, such as a wrong password, after the route was allowed. */
function isOtherRefusal(identity: Identity, request: RouteRequest): boolean {
  if (otherRights(request).some((one) => !identity.permissions.has(one))) return true;
  if (identity.fields !== null && request.method !== "GET") return true;
  if ("current" in request.values) return true;
  // An identity that is limited to paths gives no rights without such a limit.
  return identity.hasPaths && (givesRole(request.values) || request.route.path.endsWith("/tokens"));
}

/** A request that cannot be limited to paths needs the permission for the whole site. */
function isWholeSite(text: string): boolean {
  return text.includes("for the whole site");
}

/** A batch reports each of its changes, also those of `dev/apply`, which have no code. */
function isRefusedPath(status: number, text: string): boolean {
  const isNamed = text.includes("03.shop");
  if (status === 403) return isNamed || isWholeSite(text);
  return (status === 200 || status === 404) && isNamed && /"status":"error"/.test(text);
}

const isRefused = ({ status }: Answered): boolean => status === 401 || status === 403;

/** A program learns that its token has ended; a browser without a session is a visitor. */
function isDeadToken(identity: Identity, { route }: RouteRequest): boolean {
  return route.path === "/mcp" && identity.kind === "none" && "authorization" in identity.headers();
}

/** The subject with the ids of a preview link, a deleted page and a conflict in the same folder. */
async function withIds(site: RightsSite, subject: Subject): Promise<Subject> {
  const folder = subject.path.split("/")[0] ?? "";
  const { headers } = site.identities.get("admin") ?? assert.fail("no admin");
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await site.fetch(`/admin/api${path}`, {
      method,
      headers: { ...headers(), "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
    return answer.json();
  };
  const link = z.object({ id: z.string() });
  const deleted = z.object({ trashId: z.string() });
  const conflicts = z.object({ items: z.array(z.object({ id: z.string(), path: z.string() })) });
  const conflict = `${folder}/07.conflict/default.md`;
  const title = subject === foreign ? HIDDEN : "Conflict";
  await call("PUT", `/pages/${conflict}`, { content: page(`${title} ours`, "status: draft\n") });
  await site.remote.push({ [conflict]: page(`${title} theirs`, "status: draft\n") });
  await site.site.use("gitSync").sync();
  const { items } = conflicts.parse(await call("GET", "/conflicts"));
  const trash = await call("DELETE", `/pages/${folder}/08.deleted/default.md`);
  return {
    ...subject,
    ids: {
      "/admin/api/preview-links": link.parse(
        await call("POST", "/preview-links", { path: subject.path }),
      ).id,
      "/admin/api/trash": deleted.parse(trash).trashId,
      "/admin/api/conflicts": items.find(({ path }) => path === conflict)?.id ?? "",
    },
  };
}

/** True for an identity that sees pages that are neither public nor in its paths. */
const seesAll = ({ permissions, hasPaths }: Identity): boolean =>
  permissions.has("pages.read") && !hasPaths;

describe("every route for every identity", function () {
  this.timeout(120_000);
  let site: RightsSite;
  let routes: readonly DeclaredRoute[];
  const counts = new Map<string, number>();
  const subjects = { own, foreign };
  /** Statuses of open routes for anonymous requests, by address. */
  const publicStatus = new Map<string, number>();
  before(async () => {
    site = await bootRights(content, { hasGit: true });
    routes = site.site.context("admin").http.routes;
    subjects.own = await withIds(site, own);
    subjects.foreign = await withIds(site, foreign);
  });
  after(async () => {
    printCounts("expected and received, cells", counts);
    await site.close();
  });

  const send = async (
    request: RouteRequest,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answered> => {
    const leaving = new AbortController();
    const init = {
      ...initOf(request, headers),
      redirect: "manual",
      signal: leaving.signal,
    } as const;
    const answer = await fetch(site.url + request.address, init);
    const { status } = answer;
    const location = answer.headers.get("location") ?? "";
    // A stream does not end by itself.
    const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const text = isStream ? "" : await answer.text();
    if (isStream) leaving.abort();
    return { status, text, location };
  };

  /** Sends a request as an identity and adds to the list what is unexpected. */
  const judge = async (
    unexpected: string[],
    identity: Identity,
    { request, isForeign }: { request: RouteRequest; isForeign: boolean },
  ): Promise<void> => {
    const expected = expectedFor(identity, request, isForeign);
    const answer = await send(request, identity.headers());
    if (answer.status < 400 && request.method !== "GET") await identity.renew();
    count(counts, `${expected} → ${answer.status}`);
    const problem = problemOf(answer, expected, { identity, request });
    const shown = `${request.method} ${request.address} ${JSON.stringify(request.body)}`.slice(
      0,
      200,
    );
    if (problem !== null) {
      unexpected.push(
        `${shown}: ${answer.status}, expected ${problem}: ${answer.text.slice(0, 160)}`,
      );
    }
    if (expected === "open") {
      const key = `${request.method} ${request.address} ${JSON.stringify(request.body)}`;
      const known = publicStatus.get(key) ?? answer.status;
      publicStatus.set(key, known);
      if (isRefused(answer) && known !== answer.status && !isDeadToken(identity, request)) {
        unexpected.push(`${shown}: ${answer.status}, for anonymous requests ${known}`);
      }
    }
    if (!seesAll(identity) && answer.text.includes(HIDDEN)) {
      unexpected.push(
        `${shown}: ${answer.status} with the title of a page that is not for ${identity.name}`,
      );
    }
  };

  for (const name of [
    "anonymous",
    "visitor",
    "member",
    "expired token",
    "revoked token",
    "blogger",
    "token with paths",
    "clerk",
    "author",
    "token with fields",
    "editor",
    "token",
    "admin",
  ]) {
    it(`are decided by the rule for ${name}`, async () => {
      const identity = site.identities.get(name);
      assert.ok(identity, name);
      const unexpected: string[] = [];
      for (const route of routes) {
        const all = requestsFor(route, subjects.own);
        // The guard comes before the body.
        for (const request of identity.kind === "none" ? all.slice(0, 1) : all) {
          await judge(unexpected, identity, { request, isForeign: false });
        }
        const [first] = identity.hasPaths ? requestsFor(route, subjects.foreign) : [];
        if (first?.isAboutSubject === true) {
          await judge(unexpected, identity, { request: first, isForeign: true });
        }
      }
      assert.deepEqual(unexpected, []);
    });
  }

  /** Requests to the routes that change something. */
  const changing = (isWanted: (route: DeclaredRoute) => boolean): RouteRequest[] =>
    routes
      .filter((route) => !isRead(route) && isWanted(route))
      .flatMap((route) => requestsFor(route, subjects.own).slice(0, 1));

  for (const [what, headers] of [
    ["without a CSRF token", { "x-csrf-token": "" }],
    ["with another CSRF token", { "x-csrf-token": "A".repeat(43) }],
    ["from another origin", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["from Origin null", { origin: "null" }],
  ] as const) {
    it(`that changes something rejects a session ${what}`, async () => {
      const admin = site.identities.get("admin") ?? assert.fail("no admin");
      const unexpected: string[] = [];
      for (const request of changing(isGuarded)) {
        const { status, text } = await send(request, { ...admin.headers(), ...headers });
        count(counts, `forged → ${status}`);
        if (status !== 403) unexpected.push(`${routeName(request.route)}: ${status} ${text}`);
      }
      assert.deepEqual(unexpected, []);
    });
  }

  it("that changes something does nothing for a visitor's cookie from another origin", async () => {
    const visitor = await site.loggedIn("other@example.org");
    const cookie = visitor.pairs("site_");
    const forged = { cookie, origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const unexpected: string[] = [];
    for (const request of changing((route) => !isInPanel(route))) {
      const { status, text } = await send(request, forged);
      count(counts, `forged by a visitor → ${status}`);
      if (status < 400) unexpected.push(`${routeName(request.route)}: ${status} ${text}`);
    }
    assert.deepEqual(unexpected, []);
  });
});
