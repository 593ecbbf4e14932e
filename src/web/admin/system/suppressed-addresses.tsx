import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { adminPaths } from '#contract/admin/paths.ts'
import { listSuppressions } from '#contract/admin/suppressions.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { pluralize } from '#web/admin/ui/format-number.ts'

export function SuppressedAddresses() {
  const query = { busca: '', antes: '', depois: '' }
  const { data } = useQuery({
    queryKey: [listSuppressions.path, query],
    queryFn: () => callAdmin(listSuppressions, { query }),
  })
  return (
    <section className="panel" aria-labelledby="enderecos-suspensos">
      <h2 id="enderecos-suspensos">Endereços suspensos</h2>
      <p>
        Quando um provedor recusa um endereço, ou a pessoa marca um e-mail como spam, o site para de escrever para ele.{' '}
        <Link to={adminPaths.suppressions}>
          {data ? `Ver ${pluralize(data.total, 'endereço suspenso', 'endereços suspensos')}` : 'Ver a lista'}
        </Link>
      </p>
    </section>
  )
}
