import type { Command } from "#kernel";
import { zoneDay, type Output } from "#kernel/internal";
import type { PublicUser } from "../contract.js";

const PAGE = 500;

/** `site users:list` */
export const listUsers: Command = {
  name: "users:list",
  summary: "list the accounts",
  options: [["--json", "print as JSON"]],
  run: async ({ options, out, site }) => {
    const users = (await site()).use("users");
    const found: PublicUser[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const page = await users.list({ limit: PAGE, offset });
      found.push(...page.map((user) => users.public(user)));
      if (page.length < PAGE) break;
    }
    if (options["json"] === true) out.json(found);
    else print(out, found, (await site()).settings.system.timezone);
  },
};

function print(out: Output, users: readonly PublicUser[], timezone: string): void {
  const rows = users.map(({ id, email, roles, provider, createdAt }) => [
    email,
    roles.join(", ") || "-",
    provider,
    zoneDay(createdAt, timezone),
    id,
  ]);
  const all = [["e-mail", "roles", "provider", "created", "id"], ...rows];
  const widths = (all[0] ?? []).map((_, n) => Math.max(...all.map((row) => row[n]?.length ?? 0)));
  const lines = all.map((row) =>
    row
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  lines.forEach((line, n) => out.line(n === 0 ? out.colour.bold(line) : line));
}
