import { isExposedUrl } from "#kernel/internal";
import type { Settings, SettingsProblem } from "#kernel";

const ADDRESSES = ["issuer", "authorizationUrl", "tokenUrl", "userInfoUrl", "emailsUrl"] as const;

/** Codes, secrets and keys require https; plain http is only allowed to this machine. */
export function checkSettings({ site: { auth } }: Settings): readonly SettingsProblem[] {
  if (auth === undefined) return [];
  const problems: SettingsProblem[] = [];
  for (const [slug, provider] of Object.entries(auth.providers)) {
    const values = new Map<string, unknown>(Object.entries(provider ?? {}));
    for (const key of ADDRESSES) {
      if (isExposedUrl(values.get(key))) {
        problems.push(problem(`auth.providers.${slug}.${key}`, values.get(key)));
      }
    }
  }
  if (isExposedUrl(auth.jwt?.jwksUrl))
    problems.push(problem("auth.jwt.jwksUrl", auth.jwt?.jwksUrl));
  return problems;
}

function problem(key: string, received: unknown): SettingsProblem {
  return {
    file: "site",
    key,
    received,
    expected: "an https address, or http on this machine",
    fix: "write https://",
  };
}
