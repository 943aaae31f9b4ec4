import type { SiteSettings } from "#kernel";
import type { HttpCacheRule } from "./contract.js";

/** `Cache-Control` of a response that depends on the visitor. */
export const PRIVATE = "private, no-store";

/**
 * `Cache-Control` by path: the rule with the longest pattern that equals the path or one of its
 * parent paths, else the defaults. Computed once per path.
 */
export function createCacheControl(
  settings: Pick<SiteSettings["http_cache"], "rules" | "default_max_age" | "default_swr">,
): (path: string) => string {
  const rules = settings.rules.toSorted((a, b) => b.pattern.length - a.pattern.length);
  const { default_max_age: maxAge, default_swr: swr } = settings;
  const fallback = format({ maxAge, swr });
  if (rules.length === 0) return () => fallback;
  return (path) => {
    const rule = rules.find(({ pattern }) => matches(pattern, path));
    if (!rule) return fallback;
    return rule.no_store === true ? "no-store" : format(withDefaults(rule, { maxAge, swr }));
  };
}

interface Ages {
  maxAge: number;
  swr: number;
}

function withDefaults(rule: HttpCacheRule, { maxAge, swr }: Ages): Ages {
  return { maxAge: rule.max_age ?? maxAge, swr: rule.stale_while_revalidate ?? swr };
}

function format({ maxAge, swr }: Ages): string {
  const base = `public, max-age=${maxAge}`;
  return swr > 0 ? `${base}, stale-while-revalidate=${swr}` : base;
}

function matches(pattern: string, path: string): boolean {
  if (!path.startsWith(pattern)) return false;
  return path.length === pattern.length || pattern.endsWith("/") || path[pattern.length] === "/";
}
