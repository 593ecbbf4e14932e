// Who may enter the area, and the own account.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { activateMember, deactivateMember, endOtherSessions, listTeam, type Member } from '#contract/admin/team.ts'
import { callAdmin, sentenceOf } from '#web/admin/api.ts'
import { NewMember } from '#web/admin/team/new-member.tsx'
import { NewPassword } from '#web/admin/team/new-password.tsx'
import { OwnPassword } from '#web/admin/team/own-password.tsx'
import { counted } from '#web/admin/ui/amounts.ts'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { EmailText } from '#web/admin/ui/email-text.tsx'
import { momentInWords } from '#web/admin/ui/moments.ts'
import { Page } from '#web/admin/ui/page.tsx'
import { Shown } from '#web/admin/ui/states.tsx'
import { Table } from '#web/admin/ui/table.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import './team-page.css'

const failed = 'Não foi possível concluir. Tente de novo.'

type Open = { what: 'new' | 'password' | 'sessions' } | { what: 'deactivate' | 'renew'; member: Member }

export function TeamPage() {
  const queries = useQueryClient()
  const [open, setOpen] = useState<Open>()
  const team = useQuery({ queryKey: [listTeam.path], queryFn: () => callAdmin(listTeam) })
  const refresh = () => queries.invalidateQueries({ queryKey: [listTeam.path] })

  const activation = useDeed()
  const close = () => setOpen(undefined)
  function begin(next: Open): void {
    // What went wrong before is no news any more; what goes wrong meanwhile is told when the window is closed.
    if (activation.isError) activation.reset()
    setOpen(next)
  }
  const idOf = ({ id }: Member) => ({ params: { id: String(id) } })

  return (
    <Page
      title="Equipe"
      intro="Quem está aqui pode tudo na área administrativa. O que cada pessoa faz fica no registro."
      actions={
        <button type="button" className="button button-yellow" onClick={() => begin({ what: 'new' })}>
          Novo administrador
        </button>
      }
    >
      <section className="panel own-account" aria-labelledby="minha-conta">
        <h2 id="minha-conta">Minha conta</h2>
        <div className="actions">
          <button type="button" className="button small" onClick={() => begin({ what: 'password' })}>
            Trocar minha senha
          </button>
          <button type="button" className="button small" onClick={() => begin({ what: 'sessions' })}>
            Encerrar minhas outras sessões
          </button>
        </div>
      </section>
      <p role="alert" className="error">
        {!open && activation.problem}
      </p>
      <Shown query={team}>
        {({ members }) => (
          <Table
            caption="Administradores"
            rows={members}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Usuário',
                cell: ({ username, isMe }) => (
                  <span>
                    <strong>{username}</strong> {isMe && '(você)'}
                  </span>
                ),
              },
              { title: 'E-mail', cell: ({ email }) => <EmailText email={email} /> },
              {
                title: 'Situação',
                cell: ({ isActive }) => (
                  <span>
                    <span className={isActive ? 'badge badge-good' : 'badge badge-bad'}>
                      {isActive ? 'Ativo' : 'Desativado'}
                    </span>
                  </span>
                ),
              },
              {
                title: 'Sessões',
                cell: ({ sessions, lastSeenAt }) => (
                  <span>
                    {sessions === 0 ? 'Nenhuma aberta' : counted(sessions, 'aberta', 'abertas')}
                    {lastSeenAt && `, último uso em ${momentInWords(lastSeenAt)}`}
                  </span>
                ),
              },
              { title: 'Desde', cell: ({ createdAt }) => momentInWords(createdAt) },
              {
                title: 'Ações',
                cell: (member) => (
                  <span className="actions">
                    {!member.isMe && (
                      <button
                        type="button"
                        className="button small"
                        aria-label={`Nova senha de ${member.username}`}
                        onClick={() => begin({ what: 'renew', member })}
                      >
                        Nova senha
                      </button>
                    )}
                    {member.isActive ? (
                      <button
                        type="button"
                        className="button small"
                        aria-label={`Desativar ${member.username}`}
                        onClick={() => begin({ what: 'deactivate', member })}
                      >
                        Desativar
                      </button>
                    ) : (
                      <button
                        type="button"
                        className="button small"
                        aria-label={`Ativar ${member.username}`}
                        disabled={activation.isPending}
                        onClick={() => activation.mutate(() => callAdmin(activateMember, idOf(member)))}
                      >
                        Ativar
                      </button>
                    )}
                  </span>
                ),
              },
            ]}
          />
        )}
      </Shown>
      {open?.what === 'new' && (
        <NewMember
          onCreated={refresh}
          onClose={() => {
            // Also after an answer that got lost: the account may be there.
            void refresh()
            close()
          }}
        />
      )}
      {open?.what === 'renew' && <NewPassword member={open.member} onRenewed={refresh} onClose={close} />}
      {open?.what === 'password' && <OwnPassword onChanged={refresh} onClose={close} />}
      {open?.what === 'sessions' && (
        <AskedDeed
          title="Encerrar outras sessões"
          question="Você continua aqui e sai de todos os outros navegadores e aparelhos em que entrou."
          action="Encerrar"
          call={() => callAdmin(endOtherSessions)}
          onClose={close}
        />
      )}
      {open?.what === 'deactivate' && (
        <AskedDeed
          title={`Desativar ${open.member.username}`}
          question={
            open.member.isMe
              ? 'Esta é a sua conta. Você sai agora e só entra de novo quando outra pessoa da equipe a ativar.'
              : `As sessões de ${open.member.username} terminam agora, e a conta não entra mais até ser ativada de novo.`
          }
          action="Desativar"
          call={() => callAdmin(deactivateMember, idOf(open.member))}
          onClose={close}
        />
      )}
    </Page>
  )
}

type Call = () => Promise<{ message: string }>

function useDeed() {
  const queries = useQueryClient()
  const deed = useMutation({
    mutationFn: (call: Call) => call(),
    onSuccess({ message }) {
      showToast({ title: 'Pronto', text: message, tone: 'success' })
      // Not waited for: the question goes when its deed is done.
      void queries.invalidateQueries({ queryKey: [listTeam.path] })
    },
    onError: (error) => showToast({ title: 'Não deu certo', text: sentenceOf(error, failed), tone: 'error' }),
  })
  return { ...deed, problem: deed.isError ? sentenceOf(deed.error, failed) : '' }
}

interface AskedDeedProps {
  title: string
  question: string
  action: string
  call: Call
  onClose(): void
}

/** Closes itself alone: by the time of an answer another window may be open, with a password in it. */
function AskedDeed({ call, onClose, ...words }: AskedDeedProps) {
  const { isPending, problem, mutate } = useDeed()
  return (
    <Confirmation
      {...words}
      busy={isPending}
      problem={problem}
      onConfirm={() => mutate(call, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
