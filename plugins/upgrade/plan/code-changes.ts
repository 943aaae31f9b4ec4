/** What changes for the plugins, themes and clients of a site. */
import type { Finding } from "./finding.js";
import type { Versions } from "./setting-changes.js";
import { mentions, quotes, type SiteUsage } from "./site-usage.js";
import type { ContractRoute } from "./version-contract.js";

/** Hooks that the site's plugins handle or fire, and that vanish or change. */
export function hookChanges({ from, to }: Versions, usage: SiteUsage): Finding[] {
  return Object.entries(from.hooks).flatMap(([name, before]): Finding[] => {
    const after = to.hooks[name];
    const isSame = after?.kind === before.kind && after.payload === before.payload;
    const usedIn = isSame ? [] : usersOfHook(usage, name);
    if (usedIn.length === 0) return [];
    const base = { kind: "hook", name, usedIn } as const;
    if (after === undefined) {
      const message = `the hook ${name} no longer exists`;
      return [{ ...base, level: "error", message, fix: "remove its handlers" }];
    }
    if (after.kind !== before.kind) {
      const message = `the hook ${name} becomes a ${after.kind} hook, before: ${before.kind}`;
      return [{ ...base, level: "error", message, fix: "adapt its handlers" }];
    }
    const message = `the payload of ${name} becomes ${after.payload}, before: ${before.payload}`;
    return [{ ...base, level: "warning", message, fix: "check its handlers" }];
  });
}

function usersOfHook(usage: SiteUsage, name: string): string[] {
  const handling = usage.plugins.filter(
    (plugin) => !plugin.firstParty && plugin.hooks.includes(name),
  );
  const files = mentions(usage, name);
  const others = handling.filter(({ src }) => !files.some((file) => src === `./${file}`));
  return [...files, ...others.map((plugin) => `plugin ${plugin.name}`)];
}

/** Services and slots that the site's code names, and that vanish or lose members. */
export function serviceChanges({ from, to }: Versions, usage: SiteUsage): Finding[] {
  return (["service", "slot"] as const).flatMap((kind) => {
    const [before, after] =
      kind === "service" ? [from.services, to.services] : [from.slots, to.slots];
    return Object.entries(before).flatMap(([name, { members }]): Finding[] => {
      const next = after[name];
      const lost = members.filter((member) => next?.members.includes(member) === false);
      if (next !== undefined && lost.length === 0) return [];
      const usedIn = quotes(usage, name);
      if (usedIn.length === 0) return [];
      const base = { kind, name, usedIn } as const;
      if (next === undefined) {
        const message = `the ${kind} ${name} no longer exists`;
        return [{ ...base, level: "error", message, fix: "remove its uses" }];
      }
      const message = `the ${kind} ${name} loses ${lost.join(", ")}`;
      return [{ ...base, level: "warning", message, fix: "check its uses" }];
    });
  });
}

/** Routes of the site's plugins that vanish or lose parameters: their clients may be anywhere. */
export function routeChanges({ from, to }: Versions, usage: SiteUsage): Finding[] {
  const active = new Set(usage.plugins.map(({ name }) => name));
  return from.routes
    .filter(({ owner }) => active.has(owner))
    .flatMap((before): Finding[] => {
      const name = nameOf(before);
      const after = to.routes.find((route) => nameOf(route) === name);
      const lost = before.parameters.filter((one) => after?.parameters.includes(one) === false);
      if (after !== undefined && lost.length === 0) return [];
      const [fixed = before.path] = before.path.split(/[:*]/);
      const usedIn = [...usage.code].flatMap(([file, text]) =>
        text.includes(fixed) ? [file] : [],
      );
      const message =
        after === undefined
          ? `the route ${name} no longer exists`
          : `the route ${name} no longer takes ${lost.join(", ")}`;
      const fix = "adapt the clients that call it";
      return [{ level: "warning", kind: "route", name, message, usedIn, fix }];
    });
}

function nameOf({ method, path }: ContractRoute): string {
  return `${method.toUpperCase()} ${path}`;
}

/** Commands that vanish or lose options: scripts and timers may call them. */
export function commandChanges({ from, to }: Versions): Finding[] {
  return Object.entries(from.commands).flatMap(([name, before]): Finding[] => {
    const after = to.commands[name];
    const lost = before.options.filter((flags) => after?.options.includes(flags) === false);
    if (after !== undefined && lost.length === 0) return [];
    const message =
      after === undefined
        ? `the command site ${name} no longer exists`
        : `the command site ${name} no longer takes ${lost.join(", ")}`;
    const fix = "adapt the scripts and timers that run it";
    return [{ level: "warning", kind: "command", name, message, usedIn: [], fix }];
  });
}

/** Templates that the site's themes replace, and exports of `sitewright/theme` that they import. */
export function themeChanges({ from, to }: Versions, usage: SiteUsage): Finding[] {
  const templates = from.templates
    .filter((name) => !to.templates.includes(name))
    .flatMap((name): Finding[] => {
      const usedIn = [...usage.code.keys()].filter((file) =>
        file.endsWith(`/templates/${name}.tsx`),
      );
      const message = `the default theme no longer has the template ${name}`;
      const fix = "check whether the site still needs its own";
      return usedIn.length === 0
        ? []
        : [{ level: "warning", kind: "template", name, message, usedIn, fix }];
    });
  const names = from.themeExports
    .filter((name) => !to.themeExports.includes(name))
    .flatMap((name): Finding[] => {
      const usedIn = mentions(usage, name).filter((file) =>
        /sitewright\/theme/.test(usage.code.get(file) ?? ""),
      );
      const message = `sitewright/theme no longer exports ${name}`;
      const fix = "remove its imports";
      return usedIn.length === 0
        ? []
        : [{ level: "error", kind: "theme", name, message, usedIn, fix }];
    });
  return [...templates, ...names];
}
