import { expect, test } from 'vitest'
import { networkPrefix } from '#server/core/network-prefix.ts'

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:1:2::3', '2001:db8:1::/48'],
  ['::1', '0:0:0::/48'],
  ['unknown', ''],
  [undefined, ''],
])('the network of %s is %j', (address, network) => {
  expect(networkPrefix(address)).toBe(network)
})
