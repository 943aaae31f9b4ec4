import { type Command, type CommandInput, HttpError, optionError } from "#kernel";
import { parseMoment, zoneDay } from "#lib/dates";
import type { FieldMoment } from "#lib/fields";
import { PERMISSION_TEXTS, PERMISSIONS } from "./accounts/permissions.js";
import type { AdminService, ApiToken } from "./contract.js";

/** Units of `--expires`, in ms. */
const UNITS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

/** `site tokens:create` */
export const createToken: Command = {
  name: "tokens:create",
  summary: "create an API token and print it once",
  options: [
    [
      "--permissions <names>",
      "comma-separated permissions: pages.read,pages.update; tokens:permissions explains them",
    ],
    ["--name <name>", "purpose of the token"],
    ["--paths <patterns>", "comma-separated paths that it is limited to: blog/**,news"],
    ["--fields <names>", "comma-separated fields that it may change: title,body"],
    ["--expires <when>", "a date (2027-01-31) or a duration (12h, 30d, 4w, 1y)"],
    ["--json", "print JSON"],
  ],
  run: async (input) => {
    const { options, out } = input;
    const { runtime, settings } = await input.site();
    const moment = { now: runtime.clock.now(), timezone: settings.system.timezone };
    const { token, secret } = await (
      await useAdmin(input)
    ).tokens.create({
      name: text(options["name"]) ?? "command line",
      permissions: names(options["permissions"]) ?? [],
      paths: names(options["paths"]),
      fields: names(options["fields"]),
      userId: null,
      expiresAt: expiry(text(options["expires"]), moment),
    });
    if (options["json"] === true) out.json({ ...token, token: secret });
    else {
      out.line(secret);
      out.error(
        `token ${token.id} has the permissions ${token.permissions.join(", ")}; it is not shown again`,
      );
    }
  },
};

/** `site tokens:permissions` */
export const listPermissions: Command = {
  name: "tokens:permissions",
  summary: "list the permissions of tokens and roles, and what they allow",
  options: [["--json", "print JSON"]],
  run: ({ options, out }) => {
    const all = PERMISSIONS.map((name) => ({ name, ...PERMISSION_TEXTS[name].en }));
    if (options["json"] === true) out.json(all);
    else for (const { name, description } of all) out.line(`${name.padEnd(18)} ${description}`);
  },
};

/** `site tokens:list` */
export const listTokens: Command = {
  name: "tokens:list",
  summary: "list the API tokens",
  options: [["--json", "print JSON"]],
  run: async (input) => {
    const { options, out } = input;
    const tokens = await (await useAdmin(input)).tokens.list();
    const { timezone } = (await input.site()).settings.system;
    if (options["json"] === true) out.json(tokens);
    else for (const token of tokens) out.line(row(token, timezone));
    if (tokens.length === 0 && options["json"] !== true) out.line("there are no tokens");
  },
};

/** `site tokens:revoke` */
export const revokeToken: Command = {
  name: "tokens:revoke",
  summary: "revoke an API token",
  arguments: "<id>",
  run: async (input) => {
    const id = input.args[0] ?? "";
    if (!(await (await useAdmin(input)).tokens.revoke(id))) {
      throw optionError(`there is no token ${JSON.stringify(id)}`, {
        fix: "pass the id of one that tokens:list shows",
      });
    }
    input.out.line(`revoked ${id}`);
    return 0;
  },
};

/** `site users:remove-totp` */
export const removeTotp: Command = {
  name: "users:remove-totp",
  summary: "let an account sign in without the codes of its lost authenticator app",
  arguments: "<user>",
  run: async ({ args, out, site }) => {
    const name = args[0] ?? "";
    const { use } = await site();
    const users = use("users");
    const user = await (name.includes("@") ? users.findByEmail(name) : users.findByUsername(name));
    if (user === null) {
      throw optionError(`there is no account ${JSON.stringify(name)}`, {
        fix: "pass the address or the name of one that users:list shows",
      });
    }
    const isRemoved = await use("admin").removeTotp(user.id);
    out.line(isRemoved ? `${user.email} needs no codes` : `${user.email} needed no codes`);
    return 0;
  },
};

/**
 * When a token expires, Unix ms; null for never.
 * @throws ERR_ADMIN_TOKEN (400).
 */
export function expiry(when: string | undefined, { now, timezone }: FieldMoment): number | null {
  if (when === undefined) return null;
  const [, count, unit] = /^(\d{1,4})([hdwy])$/.exec(when) ?? [];
  if (count !== undefined && unit !== undefined) return now + Number(count) * (UNITS[unit] ?? 0);
  const at = parseMoment(when, timezone);
  if (at !== null) return at;
  throw new HttpError(400, `--expires has the invalid value ${JSON.stringify(when)}`, {
    code: "ERR_ADMIN_TOKEN",
    fix: "use a date such as 2027-01-31, or a duration such as 12h, 30d, 4w, 1y",
    exitCode: 2,
  });
}

async function useAdmin(input: CommandInput): Promise<AdminService> {
  return (await input.site()).use("admin");
}

function row({ id, name, permissions, expiresAt, lastUsedAt }: ApiToken, timezone: string): string {
  const day = (ms: number): string => zoneDay(ms, timezone);
  const ends = expiresAt === null ? "never expires" : `expires ${day(expiresAt)}`;
  const used = lastUsedAt === null ? "never used" : `used ${day(lastUsedAt)}`;
  return `${id}  ${name}  ${permissions.join(",")}  ${ends}  ${used}`;
}

/** A comma-separated list; null without one. */
function names(value: unknown): string[] | null {
  const list = text(value);
  if (list === undefined) return null;
  const all = list.split(",").map((name) => name.trim());
  return all.filter((name) => name !== "");
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
