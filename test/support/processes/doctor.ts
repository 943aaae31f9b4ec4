// Runs `site doctor` in this process.
import doctorPlugin from "../../../plugins/doctor/index.js";
import type { Reported } from "../../../plugins/doctor/doctor.js";
import { inspectSite } from "../../../kernel/boot/load-site.js";
import { createSite, type Site } from "../../../kernel/boot/create-site.js";
import { processEnv } from "../../../kernel/config/env.js";
import { commandsOf, silentLog, type ToolInput } from "#kernel";
import { firstParty } from "../../../plugins/main.js";
import { commandOutput } from "./command-output.js";
import { kernelErrors } from "../../../kernel/errors.js";

export interface Diagnosis {
  code: number;
  findings: readonly Reported[];
  /** Findings of a check that are not `ok`. */
  problems(check: string): readonly Reported[];
}

/** The findings about a site root. */
export async function diagnose(
  root: string,
  options: Record<string, unknown> = {},
): Promise<Diagnosis> {
  const { out, json } = commandOutput();
  const opened: Site[] = [];
  const site = async () => {
    const created = await createSite(root, { firstParty, env: processEnv(), log: silentLog });
    opened.push(created);
    await created.start();
    return created.context("cli");
  };
  try {
    const command = (await commandsOf(doctorPlugin)).find(({ name }) => name === "doctor");
    const inspect: ToolInput["inspect"] = (inspected = {}) =>
      inspectSite(root, { firstParty, env: processEnv(), ...inspected });
    const boot: ToolInput["boot"] = (left = {}) =>
      createSite(root, { firstParty, env: processEnv("production"), log: silentLog, ...left });
    const given = { root, args: [], options: { json: true, ...options }, out, site };
    const input = { ...given, firstParty, kernelErrors, inspect, boot };
    const code = (await command?.run(input)) ?? 0;
    const { findings } = json[0] as { findings: Reported[] };
    const problems = (check: string): Reported[] =>
      findings.filter((one) => one.check === check && one.level !== "ok");
    return { code, findings, problems };
  } finally {
    for (const created of opened) await created.close();
  }
}
