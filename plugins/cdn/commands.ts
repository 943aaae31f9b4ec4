import { type Command, optionError, SiteError } from "#kernel";

/** `site cdn:purge [path...]`. */
export function purgeCommand(): Command {
  return {
    name: "cdn:purge",
    summary: "purge paths of the site, or everything, from the content delivery network",
    arguments: "[path...]",
    options: [["--all", "everything"]],
    async run({ args, options, site, out }) {
      const cdn = (await site()).use("cdn", { optional: true });
      if (cdn === undefined) {
        throw new SiteError("ERR_CDN_OFF", "no content delivery network is configured", {
          fix: "add `cdn` to system.yaml, with enabled: true",
        });
      }
      if (args.length === 0 && options["all"] !== true) {
        throw optionError("no path to purge is named", { fix: "name the paths, or pass --all" });
      }
      const wrong = args.find((path) => !path.startsWith("/"));
      if (wrong !== undefined) {
        throw optionError(`${JSON.stringify(wrong)} is not a path of the site`, {
          fix: "begin it with /",
        });
      }
      cdn.purge(options["all"] === true ? undefined : args);
      await cdn.settled();
      out.line(options["all"] === true ? "everything is purged" : `${args.length} purged`);
      return 0;
    },
  };
}
