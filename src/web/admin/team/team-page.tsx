// All administrators.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { adminRoles } from '#contract/admin/roles.ts'
import { removeSecondFactor } from '#contract/admin/second-factor.ts'
import { activateMember, deactivateMember, listTeam, type Member } from '#contract/admin/team.ts'
import { callAdmin, errorMessage } from '#web/admin/api/client.ts'
import { NewMember } from '#web/admin/team/new-member.tsx'
import { NewPassword } from '#web/admin/team/new-password.tsx'
import { RoleDialog } from '#web/admin/team/role-dialog.tsx'
import { Confirmation } from '#web/admin/ui/dialog.tsx'
import { EmailText } from '#web/admin/ui/email-text.tsx'
import { formatDateTime } from '#web/admin/ui/format-date.ts'
import { pluralize } from '#web/admin/ui/format-number.ts'
import { AddIcon } from '#web/admin/ui/icons.tsx'
import { Page } from '#web/admin/ui/page.tsx'
import { QueryBoundary } from '#web/admin/ui/query-boundary.tsx'
import { Table } from '#web/admin/ui/table.tsx'
import { showToast } from '#web/admin/ui/toast.ts'
import './team-page.css'

const teamQuery = queryOptions({ queryKey: ['equipe'], queryFn: () => callAdmin(listTeam) })
const failed = 'Não foi possível concluir. Tente de novo.'

type OpenDialog = { what: 'new' } | { what: 'deactivate' | 'reset-password' | 'remove-factor' | 'role'; member: Member }

export function TeamPage() {
  const queries = useQueryClient()
  const [open, setOpen] = useState<OpenDialog>()
  const team = useQuery(teamQuery)
  const refresh = () => queries.invalidateQueries({ queryKey: teamQuery.queryKey })

  const activation = useAction()
  const close = () => setOpen(undefined)
  function openDialog(next: OpenDialog): void {
    // An earlier error is outdated. An error that occurs while the dialog is open is displayed after it closes.
    if (activation.isError) activation.reset()
    setOpen(next)
  }
  const paramsOf = ({ id }: Member) => ({ params: { id: String(id) } })

  return (
    <Page
      title="Equipe"
      intro="A coordenação pode tudo. Quem é de conteúdo cuida do que o site publica e não vê dados de pessoas. O que cada um faz fica no registro."
      actions={
        <button type="button" className="button button-yellow" onClick={() => openDialog({ what: 'new' })}>
          <AddIcon />
          Novo administrador
        </button>
      }
    >
      <p role="alert" className="error">
        {!open && activation.problem}
      </p>
      <QueryBoundary query={team}>
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
                cell: ({ isActive, hasSecondFactor }) => (
                  <span>
                    <span className={isActive ? 'badge badge-good' : 'badge badge-bad'}>
                      {isActive ? 'Ativo' : 'Desativado'}
                    </span>
                    {hasSecondFactor && ' Duas etapas'}
                  </span>
                ),
              },
              { title: 'Papel', cell: ({ role }) => adminRoles[role] },
              {
                title: 'Sessões',
                cell: ({ sessions, lastSeenAt }) => (
                  <span>
                    {sessions === 0 ? 'Nenhuma aberta' : pluralize(sessions, 'aberta', 'abertas')}
                    {lastSeenAt && `, último uso em ${formatDateTime(lastSeenAt)}`}
                  </span>
                ),
              },
              { title: 'Desde', cell: ({ createdAt }) => formatDateTime(createdAt) },
              {
                title: 'Ações',
                cell: (member) => (
                  <span className="actions">
                    {!member.isMe && (
                      <button
                        type="button"
                        className="button small"
                        aria-label={`Nova senha de ${member.username}`}
                        onClick={() => openDialog({ what: 'reset-password', member })}
                      >
                        Nova senha
                      </button>
                    )}
                    <button
                      type="button"
                      className="button small"
                      aria-label={`Mudar papel de ${member.username}`}
                      onClick={() => openDialog({ what: 'role', member })}
                    >
                      Mudar papel
                    </button>
                    {!member.isMe && member.hasSecondFactor && (
                      <button
                        type="button"
                        className="button small"
                        aria-label={`Retirar duas etapas de ${member.username}`}
                        onClick={() => openDialog({ what: 'remove-factor', member })}
                      >
                        Retirar duas etapas
                      </button>
                    )}
                    {member.isActive ? (
                      <button
                        type="button"
                        className="button small"
                        aria-label={`Desativar ${member.username}`}
                        onClick={() => openDialog({ what: 'deactivate', member })}
                      >
                        Desativar
                      </button>
                    ) : (
                      <button
                        type="button"
                        className="button small"
                        aria-label={`Ativar ${member.username}`}
                        disabled={activation.isPending}
                        onClick={() => activation.mutate(() => callAdmin(activateMember, paramsOf(member)))}
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
      </QueryBoundary>
      {open?.what === 'new' && (
        <NewMember
          onCreated={refresh}
          onClose={() => {
            // Also when the reply was lost: the account may exist.
            void refresh()
            close()
          }}
        />
      )}
      {open?.what === 'reset-password' && <NewPassword member={open.member} onReset={refresh} onClose={close} />}
      {open?.what === 'role' && <RoleDialog member={open.member} onChanged={refresh} onClose={close} />}
      {open?.what === 'remove-factor' && (
        <PendingAction
          title={`Retirar a verificação de ${open.member.username}`}
          question={`Só faça isso se ${open.member.username} perdeu o celular ou a chave, e também os códigos de recuperação: confirme por telefone ou pessoalmente. A entrada passa a pedir só a senha, e ${open.member.username} recebe um e-mail.`}
          action="Retirar"
          call={() => callAdmin(removeSecondFactor, paramsOf(open.member))}
          onClose={close}
        />
      )}
      {open?.what === 'deactivate' && (
        <PendingAction
          title={`Desativar ${open.member.username}`}
          question={
            open.member.isMe
              ? 'Esta é a sua conta. Você sai agora e só entra de novo quando outra pessoa da equipe a ativar.'
              : `As sessões de ${open.member.username} terminam agora, e a conta não entra mais até ser ativada de novo.`
          }
          action="Desativar"
          call={() => callAdmin(deactivateMember, paramsOf(open.member))}
          onClose={close}
        />
      )}
    </Page>
  )
}

type Call = () => Promise<{ message: string }>

function useAction() {
  const queries = useQueryClient()
  const mutation = useMutation({
    mutationFn: (call: Call) => call(),
    onSuccess({ message }) {
      showToast({ title: 'Pronto', text: message, tone: 'success' })
      // Not awaited: the dialog closes as soon as the action is done.
      void queries.invalidateQueries({ queryKey: teamQuery.queryKey })
    },
    onError: (error) => showToast({ title: 'Não deu certo', text: errorMessage(error, failed), tone: 'error' }),
  })
  return { ...mutation, problem: mutation.isError ? errorMessage(mutation.error, failed) : '' }
}

interface PendingActionProps {
  title: string
  question: string
  action: string
  call: Call
  onClose(): void
}

/** Closes only itself: when the reply arrives, another dialog may be open, with a password in it. */
function PendingAction({ call, onClose, ...texts }: PendingActionProps) {
  const { isPending, problem, mutate } = useAction()
  return (
    <Confirmation
      {...texts}
      busy={isPending}
      problem={problem}
      onConfirm={() => mutate(call, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
