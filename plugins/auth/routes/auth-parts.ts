import type { SiteContext, ExtensionList } from "#kernel";
import type { SessionService } from "../../session/contract.js";
import type { AccountPasskeys, UsersService } from "../../users/contract.js";
import type { AuthSection, PersonalData } from "../contract.js";
import type { PasskeyScript } from "../login/passkey-script.js";
import type { LoginProvider } from "../providers/provider.js";
import type { Visitors } from "../visitors/visitors.js";

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
