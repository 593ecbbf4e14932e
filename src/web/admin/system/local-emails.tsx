// E-mails that were written into the data folder for want of an SMTP server: a list, and one of them opened.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type LocalEmail, listLocalEmails, readLocalEmail } from '#contract/admin/system.ts'
import { callAdmin } from '#web/admin/api.ts'
import { EmailFrame } from '#web/admin/system/email-frame.tsx'
import { Dialog } from '#web/admin/ui/dialog.tsx'
import { EmailText } from '#web/admin/ui/email-text.tsx'
import { momentInWords } from '#web/admin/ui/moments.ts'
import { Empty, Shown } from '#web/admin/ui/states.tsx'
import { Table } from '#web/admin/ui/table.tsx'
import { useRefreshed } from '#web/admin/ui/use-refreshed.ts'

/** On a phone each is a card: more at once would bury what stands below. */
const step = 10

export function LocalEmails({ isInUse }: { isInUse: boolean }) {
  const [opened, setOpened] = useState<LocalEmail>()
  const [count, setCount] = useState(step)
  const table = useRef<HTMLDivElement>(null)
  const emails = useRefreshed(listLocalEmails)

  // The button moves away from who pressed it, or is gone: the first of what it brought is next.
  useEffect(() => {
    if (count > step) table.current?.querySelectorAll('button')[count - step]?.focus()
  }, [count])

  return (
    <section className="panel" aria-labelledby="caixa-local">
      <h2 id="caixa-local">Caixa local de e-mails</h2>
      <p>
        {isInUse
          ? 'Sem SMTP_URL, cada e-mail é gravado na pasta de dados deste servidor em vez de sair. Abrir um fica no registro.'
          : 'Com o SMTP configurado, nada novo chega aqui.'}
      </p>
      <Shown query={emails} rows={2}>
        {({ emails: rows }) =>
          rows.length === 0 ? (
            <Empty>Nenhum e-mail gravado neste servidor.</Empty>
          ) : (
            <div ref={table}>
              <Table
                caption="E-mails gravados"
                rows={rows.slice(0, count)}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Quando', cell: ({ sentAt }) => momentInWords(sentAt) },
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
              {rows.length > count && (
                <button type="button" className="button small show-more" onClick={() => setCount(count + step)}>
                  Ver mais
                </button>
              )}
            </div>
          )
        }
      </Shown>
      {opened && <OpenedEmail {...opened} onClose={() => setOpened(undefined)} />}
    </section>
  )
}

function OpenedEmail({ id, subject, to, sentAt, onClose }: LocalEmail & { onClose(): void }) {
  const [asText, setAsText] = useState(false)
  const email = useQuery({
    queryKey: [readLocalEmail.path, id],
    queryFn: () => callAdmin(readLocalEmail, { params: { id } }),
    // Each reading is on record: none happens by itself.
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Dialog title={subject} onClose={onClose}>
      <p>
        Para {to}, em {momentInWords(sentAt)}. Os links não funcionam aqui: são da pessoa.
      </p>
      <Shown query={email}>
        {({ email: { text, html } }) => (
          <>
            <label className="check">
              <input type="checkbox" checked={asText} onChange={(event) => setAsText(event.target.checked)} />
              <span>Só o texto</span>
            </label>
            {asText ? (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
              <pre className="email-text" tabIndex={0}>
                {text}
              </pre>
            ) : (
              <EmailFrame html={html} title={subject} />
            )}
          </>
        )}
      </Shown>
    </Dialog>
  )
}
