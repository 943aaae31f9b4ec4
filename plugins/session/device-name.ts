import Bowser from "bowser";

/** Names the browser and system of a `User-Agent`: `Firefox 141 on Linux`. */
export function deviceName(agent: string): string {
  if (agent === "") return "Unknown device";
  const { browser, os, platform } = Bowser.parse(agent);
  const { name = "" } = browser;
  if (name === "") return agent.split(/[\s/]/, 1)[0] ?? "Unknown device";
  const version = browser.version?.split(".", 1)[0] ?? "";
  const system = os.name ?? platform.type ?? "";
  return [name, version, system && `on ${system}`].filter((part) => part !== "").join(" ");
}
