import type { SiteContext, ExtensionList } from "#kernel";
import type { SessionService } from "../../session/contract.js";
import type { AccountPasskeys, UsersService } from "../../users/contract.js";
import type { AuthSection, PersonalData } from "../contract.js";
import type { LoginProvider } from "../providers/provider.js";
import type { Visitors } from "../visitors.js";

/** Passkeys of visitors. */
export interface VisitorPasskeys {
  readonly passkeys: AccountPasskeys;
  /** The script of the pages that use them; its URL holds a digest. */
  readonly script: { readonly url: string; readonly text: string };
}
/** Dependencies of the routes of mode `dune`. */
export interface AuthContext {
  readonly site: SiteContext;
  /** The data that plugins store about an account. */
  readonly personalData: ExtensionList<PersonalData>;
  readonly section: AuthSection;
  readonly sessions: SessionService;
  readonly users: UsersService;
  readonly visitors: Visitors;
  readonly providers: readonly LoginProvider[];
  /** True: cookies are `Secure`; always except in dev. */
  readonly isSecure: boolean;
  /** Null: the site offers none. */
  readonly passkeys: VisitorPasskeys | null;
}
