// `/meus-dados`: all its views. One page, so that the bundler does not split the scripts of other pages for their sake.
import { ownDataPath, ownDataPaths } from '#contract/own-data.ts'
import { usePageContext } from '#web/api/page-context.ts'
import { CorrectView } from '#web/pages/own-data/correct-view.tsx'
import { EraseView } from '#web/pages/own-data/erase-view.tsx'
import { ErasedView } from '#web/pages/own-data/erased-view.tsx'
import { RecordsView } from '#web/pages/own-data/records-view.tsx'
import { RequestView } from '#web/pages/own-data/request-view.tsx'
import { WithdrawView } from '#web/pages/own-data/withdraw-view.tsx'

export default function OwnDataPage() {
  const { path } = usePageContext()
  if (path === ownDataPath) return <RequestView />
  if (path === ownDataPaths.erased) return <ErasedView />
  const [, , , action] = path.split('/')
  if (action === 'corrigir') return <CorrectView />
  if (action === 'retirar') return <WithdrawView />
  if (action === 'apagar') return <EraseView />
  return <RecordsView />
}
