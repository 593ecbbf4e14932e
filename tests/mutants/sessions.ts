// Sessions: who is let in, for how long, what ends a session, and requests that another site makes a browser send.
import type { Mutation } from '#tests/mutants/mutation.ts'

const session = ['tests/http/admin-session.test.ts']
const team = ['tests/http/admin-team.test.ts']
const access = ['tests/http/admin-access.test.ts']
const crossSite = ['tests/http/cross-site.test.ts']

export const sessionMutations: Mutation[] = [
  {
    file: 'features/admin/sessions.ts',
    change: 'tokens are stored as they are',
    find: `hash('sha256', token, 'base64url')`,
    replace: 'token',
    tests: session,
    title: 'stored as a hash alone',
  },
  {
    file: 'features/admin/sessions.ts',
    change: 'a session does not end by idling',
    find: '          gt(adminSessions.lastSeenAt, idleTooLong),\n',
    replace: '',
    tests: session,
    title: 'after half an hour',
  },
  {
    file: 'features/admin/sessions.ts',
    change: 'a session that is used never ends',
    find: '          gt(adminSessions.createdAt, openTooLong),\n',
    replace: '',
    tests: session,
    title: 'after eight hours',
  },
  {
    file: 'features/admin/sessions.ts',
    change: 'a deactivated account keeps its sessions',
    find: '          adminUsers.isActive,\n',
    replace: '',
    tests: session,
    title: 'at once when its user',
  },
  {
    file: 'features/admin/sessions.ts',
    change: 'a page that was left open prolongs its session',
    find: `if (stale && presence === 'present')`,
    replace: 'if (stale)',
    tests: access,
    title: 'a page left open',
  },
  {
    file: 'features/admin/sessions.ts',
    change: 'ending the other sessions ends those of colleagues',
    find: `        .delete(adminSessions)
        .where(and(eq(adminSessions.adminUserId, id), ne(adminSessions.tokenHash, digest(token))))
    },`,
    replace: `        .delete(adminSessions)
        .where(ne(adminSessions.tokenHash, digest(token)))
    },`,
    tests: team,
    title: 'ends its other sessions',
  },
  {
    file: 'features/admin/sessions.ts',
    change: 'a new password leaves the other sessions open',
    find: `        await tx
          .delete(adminSessions)
          .where(and(eq(adminSessions.adminUserId, id), ne(adminSessions.tokenHash, digest(token))))
`,
    replace: '',
    tests: team,
    title: 'takes a new password',
  },
  {
    file: 'features/admin/sessions.ts',
    change: 'the current password is not waited for',
    find: '!(await passwordMatches(current, user.password))',
    replace: '!passwordMatches(current, user.password)',
    tests: team,
    title: 'the own account',
  },
  {
    file: 'features/admin/sessions.ts',
    change: 'a login under way outlives the password',
    find: ` and password = \${user.password} for share`,
    replace: ' for share',
    tests: team,
    title: 'leaves no session to a login that was under way',
    engine: 'postgres',
  },
  {
    file: 'features/admin/devices.ts',
    change: 'devices are never forgotten',
    find: '      await orm.delete(adminDevices).where(lt(adminDevices.lastUsedAt, unusedTooLong))\n',
    replace: '',
    tests: session,
    title: '180 days',
  },
  {
    file: 'features/admin/devices.ts',
    change: 'a device that is used is forgotten after its first 180 days',
    find: '.onConflictDoUpdate({ target: [adminDevices.adminUserId, adminDevices.tokenHash], set: { lastUsedAt } })',
    replace: '.onConflictDoNothing()',
    tests: session,
    title: '180 days',
  },
  {
    file: 'features/admin/renewal.ts',
    change: 'a password made for a colleague leaves their sessions open',
    find: '  await tx.delete(adminSessions).where(eq(adminSessions.adminUserId, id))\n',
    replace: '',
    tests: team,
    title: 'is told once',
  },
  {
    file: 'features/admin/team.ts',
    change: 'sessions come back with the account',
    find: '        await tx.delete(adminSessions).where(eq(adminSessions.adminUserId, id))\n',
    replace: '',
    tests: team,
    title: 'ends the sessions at once',
  },
  {
    file: 'features/admin/team.ts',
    change: 'the last active account can be deactivated',
    find: 'if (active.length === 1 && active[0]?.id === id)',
    replace: 'if (active.length === 0)',
    tests: team,
    title: 'the last active one is refused',
  },
  {
    file: 'features/admin/devices.ts',
    change: 'a device is known for every account',
    find: 'isCalled(username), adminUsers.isActive',
    replace: 'adminUsers.isActive',
    tests: session,
    title: 'does not lock the administrator’s device out',
  },
  {
    file: 'http/access.ts',
    change: 'requests with DELETE are not checked',
    find: `['GET', 'HEAD', 'OPTIONS']`,
    replace: `['GET', 'HEAD', 'OPTIONS', 'DELETE']`,
    tests: crossSite,
    title: 'is refused with a sentence on every route',
  },
  {
    file: 'http/guard.ts',
    change: 'an export prolongs its session',
    find: `(await findHolder(tokenOf(request) ?? '', 'away'))`,
    replace: `(await findHolder(tokenOf(request) ?? '', 'present'))`,
    tests: session,
    title: 'being answered',
  },
  {
    file: 'http/guard.ts',
    change: 'the beginning of the secret is enough',
    find: 'sameSecret(each, secret)',
    replace: 'secret.startsWith(each)',
    tests: ['tests/http/webhook.test.ts'],
    title: 'the secret',
  },
  {
    file: 'http/cross-site.ts',
    change: 'a sandboxed frame is accepted',
    find: 'origin === undefined || origin',
    replace: `origin === undefined || origin === 'null' || origin`,
    tests: crossSite,
    title: 'is refused',
  },
  {
    file: 'http/cross-site.ts',
    change: 'a sibling subdomain is accepted',
    find: `site === 'none') return`,
    replace: `site === 'none' || site === 'same-site') return`,
    tests: crossSite,
    title: 'is refused',
  },
  {
    file: 'http/cross-site.ts',
    change: 'a host that ends like ours is accepted',
    find: 'origin.endsWith(`//',
    replace: 'origin.endsWith(`',
    tests: crossSite,
    title: 'only ends like the host',
  },
]
