/** `site doctor`. */
import type { Command } from "../../contracts.js";
import type { FirstParty } from "../../boot/load-site.js";

/** `site doctor`: what is wrong with a site and its machine, and how to fix it. */
export function doctorCommand(firstParty: FirstParty): Command {
  return {
    name: "doctor",
    summary: "check the site, its services and this machine; exit 1 when something is wrong",
    options: [
      ["--json", "print JSON"],
      [
        "--fix",
        "apply the fixes that are safe: create folders, protect secrets, remove stale locks",
      ],
    ],
    run: async (input) => (await import("./doctor.js")).doctor(firstParty, input),
  };
}
