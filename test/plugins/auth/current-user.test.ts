import assert from "node:assert/strict";
import type { RequestState } from "#kernel";
import type { User } from "../../../plugins/users/contract.js";
import { setVisitor, toSiteUser } from "../../../plugins/auth/visitors.js";

const user: User = {
  id: "ann",
  email: "ann@example.org",
  passwordHash: "$argon2id$canary",
  roles: ["stored"],
  provider: "github",
  linkedProviders: [],
  createdAt: 1,
  updatedAt: 1,
  lastSeenAt: 1,
};
const shown = {
  id: "ann",
  email: "ann@example.org",
  name: null,
  avatarUrl: null,
  roles: ["member"],
  provider: "github",
  createdAt: 1,
  linkedProviders: [],
};
const asking = (...rawHeaders: string[]) => {
  const state: RequestState = {};
  const headers: Record<string, string | string[] | undefined> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers[(rawHeaders[at] ?? "").toLowerCase()] = rawHeaders[at + 1];
  }
  return { ctx: { state }, headers, rawHeaders };
};

describe("the current user", () => {
  it("is set in the state, as the viewer and as a header, without the password", () => {
    const req = asking("Host", "x");
    setVisitor(req, { user: toSiteUser(user, ["member"]), shown });
    assert.deepEqual(req.ctx.state.siteUser?.roles, ["member"]);
    assert.deepEqual(req.ctx.state.viewer, { roles: ["member"], seesUnpublished: false });
    assert.deepEqual(JSON.parse(String(req.headers["x-site-user"])), shown);
    assert.deepEqual(req.rawHeaders, ["Host", "x", "x-site-user", req.headers["x-site-user"]]);
    assert.ok(!JSON.stringify(req).includes("canary"));
  });

  it("preserves other rights of the viewer", () => {
    const req = asking();
    req.ctx.state.viewer = { roles: [], seesUnpublished: true };
    setVisitor(req, { user: toSiteUser(user, ["member"]), shown });
    assert.deepEqual(req.ctx.state.viewer, { roles: ["member"], seesUnpublished: true });
  });

  it("is sent as printable ASCII for any name", () => {
    const name = 'Ärger\r\nX-Evil: 1\0 <img onerror> 🎉 \u2028"\\\u007f';
    const req = asking();
    setVisitor(req, { user: toSiteUser(user, []), shown: { ...shown, name } });
    const value = String(req.headers["x-site-user"]);
    assert.match(value, /^[\x20-\x7e]+$/);
    assert.deepEqual(JSON.parse(value), { ...shown, name });
  });

  it("omits name and picture when the header would be too long", () => {
    const req = asking();
    setVisitor(req, { user: toSiteUser(user, []), shown: { ...shown, name: "é".repeat(1_000) } });
    assert.deepEqual(JSON.parse(String(req.headers["x-site-user"])), shown);
  });
});
