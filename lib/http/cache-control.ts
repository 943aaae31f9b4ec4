/** The time until which caches may keep a response. */
export interface CacheLifetime {
  /** Unix ms of the next change that is known in advance; null without one. */
  readonly until: number | null | undefined;
  /** Unix ms. */
  readonly now: number;
}

const AGE = /\b(max-age|s-maxage)=(\d+)/gi;
const STALE = /^(stale-while-revalidate|stale-if-error)=(\d+)$/i;

/**
 * `Cache-Control` whose lifetimes end before the next change: browsers and proxies neither use nor show a
 * response as fresh or stale after it.
 */
export function cappedLifetime(control: string, { until, now }: CacheLifetime): string {
  if (until === null || until === undefined) return control;
  const seconds = Math.max(0, Math.floor((until - now) / 1_000));
  const ages = [...control.matchAll(AGE)].map(([, , age]) => Number(age));
  if (ages.length === 0) return control;
  const stale = Math.max(0, seconds - Math.max(...ages));
  const isShortened = Math.max(...ages) > seconds;
  return control
    .split(/,\s*/)
    .flatMap((directive) => {
      const [, name, age] = STALE.exec(directive) ?? [];
      if (name !== undefined && Number(age) > stale) return stale === 0 ? [] : [`${name}=${stale}`];
      if (isShortened && /^immutable$/i.test(directive)) return [];
      return [
        directive.replace(
          AGE,
          (_all, key: string, of: string) => `${key}=${Math.min(Number(of), seconds)}`,
        ),
      ];
    })
    .join(", ");
}
