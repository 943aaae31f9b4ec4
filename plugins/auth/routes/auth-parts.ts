import type { SiteContext } from "#kernel";
import type { SessionService } from "../../session/contract.js";
import type { UsersService } from "../../users/contract.js";
import type { AuthSection } from "../contract.js";
import type { LoginProvider } from "../providers/provider.js";
import type { Visitors } from "../visitors/visitors.js";

/** Dependencies of the routes of mode `dune`. */
export interface AuthParts {
  readonly site: SiteContext;
  readonly section: AuthSection;
  readonly sessions: SessionService;
  readonly users: UsersService;
  readonly visitors: Visitors;
  readonly providers: readonly LoginProvider[];
  /** Whether cookies are `Secure`: always except in dev. */
  readonly isSecure: boolean;
}
