import { describe } from 'vitest'
import tenant from '../../src/ephemera/tenant.ts'
import { finds } from './finds.ts'

describe('tenant', () => {
  finds(tenant, [
    ['tenant=acme', 'acme'],
    ['tenant_id: acme-7', 'acme-7'],
    ['tenantId="acme"', 'acme'],
    ['X-Tenant-ID: acme', 'acme'],
    ['--tenant acme', 'acme'],
    ['--tenant-id 42a', '42a'],
    ['the tenant acme-7 has no quota', 'acme-7'],
    ['/tenants/acme/users', 'acme'],
    ['the tenant table needs a region'],
    ['each tenant must have a region'],
    ['multi-tenant mode'],
    ['tenant=<tenant>'],
  ])
})
