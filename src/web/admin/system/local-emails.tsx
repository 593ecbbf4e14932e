// E-mails stored in the data folder because no SMTP server is configured: the list, and a dialog to read one.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type LocalEmail, listLocalEmails, readLocalEmail } from '#contract/admin/system.ts'
import { callAdmin } from '#web/admin/api/client.ts'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { EmailFrame } from '#web/admin/ui/email-frame.tsx'
import { EmailText } from '#web/admin/ui/email-text.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { EmailIcon } from '#web/admin/ui/icons.tsx'
import { EmptyState, QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { Table } from '#web/admin/ui/table.tsx'
import { usePolledQuery } from '#web/admin/ui/use-polled-query.ts'

/** On a phone every row is a card: more rows would hide the sections below. */
const pageSize = 10

export function LocalEmails({ isInUse }: { isInUse: boolean }) {
  const [opened, setOpened] = useState<LocalEmail>()
  const [visibleCount, setVisibleCount] = useState(pageSize)
  const table = useRef<HTMLDivElement>(null)
  const emails = usePolledQuery(listLocalEmails)

  // The pressed button moves down or disappears, so the first new row gets the focus.
  useEffect(() => {
    if (visibleCount > pageSize) table.current?.querySelectorAll('button')[visibleCount - pageSize]?.focus()
  }, [visibleCount])

  return (
    <section className="panel" aria-labelledby="caixa-local">
      <h2 id="caixa-local">Caixa local de e-mails</h2>
      <p>
        {isInUse
          ? 'Sem SMTP_URL, cada e-mail é gravado na pasta de dados deste servidor em vez de sair. Abrir um fica no registro.'
          : 'Com o SMTP configurado, nada novo chega aqui.'}
      </p>
      <QueryBoundary query={emails} rows={2}>
        {({ emails: rows }) =>
          rows.length === 0 ? (
            <EmptyState icon={EmailIcon}>Nenhum e-mail gravado neste servidor.</EmptyState>
          ) : (
            <div ref={table}>
              <Table
                caption="E-mails gravados"
                rows={rows.slice(0, visibleCount)}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Quando', cell: ({ sentAt }) => formatDateTime(sentAt) },
                  { title: 'Para', cell: ({ to }) => <EmailText email={to} /> },
                  { title: 'Assunto', cell: ({ subject }) => subject },
                  {
                    title: 'Ações',
                    cell: (email) => (
                      <span>
                        <button
                          type="button"
                          className="button small"
                          aria-label={`Abrir o e-mail para ${email.to}`}
                          onClick={() => setOpened(email)}
                        >
                          Abrir
                        </button>
                      </span>
                    ),
                  },
                ]}
              />
              {rows.length > visibleCount && (
                <button
                  type="button"
                  className="button small show-more"
                  onClick={() => setVisibleCount(visibleCount + pageSize)}
                >
                  Ver mais
                </button>
              )}
            </div>
          )
        }
      </QueryBoundary>
      {opened && <OpenedEmail {...opened} onClose={() => setOpened(undefined)} />}
    </section>
  )
}

function OpenedEmail({ id, subject, to, sentAt, onClose }: LocalEmail & { onClose(): void }) {
  const [asText, setAsText] = useState(false)
  const email = useQuery({
    queryKey: [readLocalEmail.path, id],
    queryFn: () => callAdmin(readLocalEmail, { params: { id } }),
    // Every read is recorded in the audit log, so nothing may be refetched automatically.
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Dialog title={subject} onClose={onClose}>
      <p>
        Para {to}, em {formatDateTime(sentAt)}. Os links não funcionam aqui: são da pessoa.
      </p>
      <QueryBoundary query={email}>
        {({ email: { text, html } }) => (
          <>
            <label className="check">
              <input type="checkbox" checked={asText} onChange={(event) => setAsText(event.target.checked)} />
              <span>Só o texto</span>
            </label>
            {asText ? (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard
              <pre className="email-text" tabIndex={0}>
                {text}
              </pre>
            ) : (
              <EmailFrame html={html} title={subject} />
            )}
          </>
        )}
      </QueryBoundary>
    </Dialog>
  )
}
