import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The behaviour of a stand-in at its token and profile addresses. */
export type Mood =
  | "well"
  | "hang"
  | "html"
  | "status500"
  | "endless"
  | "redirect"
  | "denied-code"
  | "no-id"
  | "wrong-profile";

/** GitHub, Google and Discord, as far as a login uses them. */
export interface OAuthStandIns {
  url: string;
  mood: Mood;
  /** The profile per provider. */
  github: { user: string; emails: unknown };
  google: string;
  discord: string;
  /** Requested paths, in order. */
  calls: string[];
  /** `auth.providers` for this server. */
  providers(): Record<string, Record<string, unknown>>;
  close(): Promise<void>;
}

interface Grant {
  challenge: string;
  redirectUri: string;
  clientId: string;
}

/** Starts the three on one port: `/github/…`, `/google/…`, `/discord/…`. */
export async function startOAuthStandIns(): Promise<OAuthStandIns> {
  const grants = new Map<string, Grant>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const handle: OAuthStandIns = {
    url,
    mood: "well",
    github: {
      user: '{"id":583231,"login":"ann","name":"Ann","avatar_url":"https://pictures.example/ann.png","email":null}',
      emails: [
        { email: "other@example.org", primary: false, verified: true },
        { email: "ann@example.org", primary: true, verified: true },
      ],
    },
    google: '{"id":"1077","email":"ann@example.org","verified_email":true,"name":"Ann G"}',
    discord:
      '{"id":"8035111","username":"ann","global_name":"Ann D","avatar":"a1b2","email":"ann@example.org","verified":true}',
    calls: [],
    providers: () => providers(url),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  server.on("request", (req, res) => void answer(handle, grants, { req, res }));
  return handle;
}

function providers(url: string): Record<string, Record<string, unknown>> {
  const of = (name: string): Record<string, unknown> => ({
    clientId: `${name}-client`,
    clientSecret: `${name}-very-secret`,
    authorizationUrl: `${url}/${name}/authorize`,
    tokenUrl: `${url}/${name}/token`,
    userInfoUrl: `${url}/${name}/user`,
  });
  return {
    github: { ...of("github"), emailsUrl: `${url}/github/user/emails` },
    google: of("google"),
    discord: of("discord"),
  };
}

interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
}

async function answer(
  handle: OAuthStandIns,
  grants: Map<string, Grant>,
  { req, res }: Exchange,
): Promise<void> {
  const url = new URL(req.url ?? "/", handle.url);
  handle.calls.push(url.pathname);
  const [, name = "", place = ""] = url.pathname.split("/");
  if (place === "authorize") return authorize(grants, url, res);
  const body = await text(req);
  if (misbehaves(handle.mood, res)) return;
  if (place === "token") return token(handle, grants, { name, body, res });
  if (req.headers.authorization !== "Bearer token-of-ann") return json(res, "{}", 401);
  json(res, profile(handle, url.pathname));
}

function authorize(grants: Map<string, Grant>, url: URL, res: ServerResponse): void {
  const query = url.searchParams;
  const redirectUri = query.get("redirect_uri") ?? "";
  const back = new URL(redirectUri);
  back.searchParams.set("state", query.get("state") ?? "");
  if (query.get("code_challenge_method") !== "S256" || query.get("response_type") !== "code") {
    back.searchParams.set("error", "invalid_request");
  } else {
    const code = randomBytes(16).toString("hex");
    const challenge = query.get("code_challenge") ?? "";
    grants.set(code, { challenge, redirectUri, clientId: query.get("client_id") ?? "" });
    back.searchParams.set("code", code);
  }
  res.writeHead(302, { location: back.href }).end();
}

function token(
  handle: OAuthStandIns,
  grants: Map<string, Grant>,
  { name, body, res }: { name: string; body: string; res: ServerResponse },
): void {
  const form = new URLSearchParams(body);
  const code = form.get("code") ?? "";
  const grant = grants.get(code);
  grants.delete(code);
  const challenge = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  const isRight =
    handle.mood !== "denied-code" &&
    grant?.challenge === challenge &&
    grant.redirectUri === form.get("redirect_uri") &&
    grant.clientId === form.get("client_id") &&
    form.get("client_secret") === `${name}-very-secret`;
  if (isRight) {
    return json(res, '{"access_token":"token-of-ann","token_type":"bearer","scope":"user"}');
  }
  // GitHub responds with status 200.
  if (name === "github")
    return json(res, '{"error":"bad_verification_code","error_description":"provider text"}');
  json(res, '{"error":"invalid_grant","error_description":"provider text"}', 400);
}

function profile(handle: OAuthStandIns, path: string): string {
  if (handle.mood === "no-id") return '{"name":"nobody"}';
  if (handle.mood === "wrong-profile") return "[1,2,3]";
  if (path === "/github/user/emails") return JSON.stringify(handle.github.emails);
  if (path.startsWith("/github")) return handle.github.user;
  return path.startsWith("/google") ? handle.google : handle.discord;
}

function misbehaves(mood: Mood, res: ServerResponse): boolean {
  switch (mood) {
    case "hang":
      return true;
    case "html":
      res.writeHead(200, { "content-type": "text/html" }).end("<h1>provider text</h1>");
      return true;
    case "status500":
      json(res, '{"error":"provider text"}', 500);
      return true;
    case "endless":
      endless(res);
      return true;
    case "redirect":
      res.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end();
      return true;
    default:
      return false;
  }
}

function endless(res: ServerResponse): void {
  res.writeHead(200, { "content-type": "application/json" });
  const chunk = Buffer.alloc(65_536, " ");
  const more = (): void => {
    while (!res.destroyed && res.write(chunk));
    if (!res.destroyed) res.once("drain", more);
  };
  more();
}

function json(res: ServerResponse, body: string, status = 200): void {
  res.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(body);
}

async function text(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
