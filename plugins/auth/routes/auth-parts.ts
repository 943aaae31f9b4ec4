import { readFileSync } from "node:fs";
import type { SiteContext, ExtensionList } from "#kernel";
import { runningFile, sha256 } from "#kernel/internal";
import type { SessionService } from "../../session/contract.js";
import type { AccountPasskeys, UsersService } from "../../users/contract.js";
import type { AuthSection, PersonalData } from "../contract.js";
import type { LoginProvider } from "../providers/provider.js";
import type { Visitors } from "../visitors.js";

/** Passkeys of visitors. */
export interface PasskeyParts {
  readonly passkeys: AccountPasskeys;
  readonly script: PasskeyScript;
}
/** Dependencies of the routes of mode `dune`. */
export interface AuthParts {
  readonly site: SiteContext;
  /** What plugins store about an account. */
  readonly personalData: ExtensionList<PersonalData>;
  readonly section: AuthSection;
  readonly sessions: SessionService;
  readonly users: UsersService;
  readonly visitors: Visitors;
  readonly providers: readonly LoginProvider[];
  /** Whether cookies are `Secure`: always except in dev. */
  readonly isSecure: boolean;
  /** Null: the site offers none. */
  readonly passkeys: PasskeyParts | null;
}

/** The script of the pages that use passkeys. */
interface PasskeyScript {
  /** Holds a digest. */
  readonly url: string;
  readonly text: string;
}

/** Reads the script. */
export function passkeyScript(): PasskeyScript {
  const text = readFileSync(runningFile("plugins/auth/assets/passkeys.js"), "utf8");
  const digest = sha256(text).slice(0, 10);
  return { url: `/auth/passkeys/${digest}.js`, text };
}
