import type { AuthzService, UsersService } from "../users/contract.js";

/** Relation of roles granted in addition to an account's own (see `AuthzService.rolesOf`). */
const GRANTED = "granted";

/** Dependencies of granting and revoking roles. */
export interface RoleHoldersOptions {
  readonly users: UsersService;
  readonly authz: AuthzService;
  /** True: accounts are stored records; false: they live in a session or a token. */
  isKept(): boolean;
}

/** Grants and revokes roles of visitors, wherever their accounts are stored. */
export class RoleHolders {
  readonly #options: RoleHoldersOptions;

  constructor(options: RoleHoldersOptions) {
    this.#options = options;
  }

  /** False when the account was deleted. */
  async exists(userId: string): Promise<boolean> {
    const { users, isKept } = this.#options;
    return !isKept() || (await users.get(userId)) !== null;
  }

  async give(userId: string, role: string): Promise<void> {
    const { users, authz, isKept } = this.#options;
    if (isKept()) await users.grantRole(userId, role);
    else await authz.grant({ user: userId, relation: GRANTED, object: `role:${role}` });
  }

  async take(userId: string, role: string): Promise<void> {
    const { users, authz, isKept } = this.#options;
    if (isKept()) await users.revokeRole(userId, role);
    else await authz.revoke({ user: userId, relation: GRANTED, object: `role:${role}` });
  }

  /** Stores the provider's id of the visitor in the account. */
  async setCustomer(userId: string, customerId: string): Promise<void> {
    const { users, isKept } = this.#options;
    if (!isKept()) return;
    await users.update(userId, (user) =>
      user.paymentCustomerId === customerId ? user : { ...user, paymentCustomerId: customerId },
    );
  }
}
