import type { Command } from "#kernel";

/** `site authz:sign` */
export const signTuples: Command = {
  name: "authz:sign",
  summary: "sign unsigned permission tuples with SITE_AUTHZ_HMAC_SECRET",
  options: [["--dry-run", "only count the tuples"]],
  run: async ({ options, out, site }) => {
    const context = await site();
    if (context.runtime.env.get("SITE_AUTHZ_HMAC_SECRET") === undefined) {
      out.error("SITE_AUTHZ_HMAC_SECRET is not set");
      return 1;
    }
    const dryRun = options["dryRun"] === true;
    const count = await context.use("authz").sign({ dryRun });
    out.line(`${count} ${count === 1 ? "tuple" : "tuples"} ${dryRun ? "to sign" : "signed"}`);
    return 0;
  },
};
