"""The same training steps in PyTorch, eager, on one thread: written plainly, and as fast as eager PyTorch was got."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import torch

from microtransformer.parameters import views

from .case import Case
from .contestants import WARM

F = torch.nn.functional
Tensors = dict[str, Any]


class PlainTorch:
    """One tensor per parameter, each formula as it is written, `torch.optim.Adam` with its defaults."""

    fused = False

    def prepare(self, case: Case) -> None:
        torch.set_num_threads(1)
        self._case, self.cfg = case, case.cfg
        self._batches = [(torch.from_numpy(x), torch.from_numpy(y)) for x, y in case.batches]

    def losses(self, steps: int) -> list[float]:
        return self._run(steps, watched=True)[1]

    def seconds(self, steps: int) -> float:
        return self._run(steps, watched=False)[0]

    def initial(self) -> Tensors:
        """The initial weights by name."""
        return {name: torch.from_numpy(view.copy()) for name, view in views(self.cfg, self._case.theta).items()}

    def logits(self, w: Tensors, tokens: Any) -> Any:
        """(B, T) -> (B, T, V)."""
        cfg = self.cfg

        def norm(x: Any, gain: Any) -> Any:
            return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + cfg.rms_eps) * gain

        def heads(x: Any) -> Any:
            return x.view(*tokens.shape, cfg.n_heads, cfg.d_k).transpose(1, 2)  # (B, H, T, d_k)

        x = w["embed.tokens"][tokens] + w["embed.positions"]
        for layer in range(cfg.n_layers):
            at = f"layers.{layer}."
            h = norm(x, w[at + "norm_attn"])
            Q, K, V = (heads(h @ w[at + name]) for name in ("W_Q", "W_K", "W_V"))
            P = (Q @ K.transpose(-1, -2) * cfg.d_k**-0.5).softmax(-1)
            x = x + (P @ V).transpose(1, 2).reshape(x.shape) @ w[at + "W_O"]
            h = norm(x, w[at + "norm_ffn"])
            x = x + (F.silu(h @ w[at + "W_gate"]) * (h @ w[at + "W_up"])) @ w[at + "W_down"]
        return norm(x, w["norm_out"]) @ w["W_U"]

    def _run(self, steps: int, watched: bool) -> tuple[float, list[float]]:
        """Seconds of `steps` steps after the warm ones, or the losses of the first `steps`."""
        train = self._case.train
        w = {name: tensor.requires_grad_() for name, tensor in self.initial().items()}
        options = {"fused": True} if self.fused else {}
        adam = torch.optim.Adam(
            list(w.values()), lr=train.learning_rate, betas=(train.beta1, train.beta2), eps=train.adam_eps, **options
        )
        losses = []
        warm = 0 if watched else min(WARM, steps)
        started = perf_counter()
        for step in range(warm + steps):
            if step == warm:
                started = perf_counter()
            tokens, targets = self._batches[step % len(self._batches)]
            adam.zero_grad()
            loss = F.cross_entropy(self.logits(w, tokens).view(-1, self.cfg.vocab_size), targets.view(-1))
            loss.backward()
            adam.step()
            losses.append(loss.item())
        return perf_counter() - started, losses


class FastTorch(PlainTorch):
    """Merged projections, `rms_norm` and attention as one operation each, Adam fused."""

    fused = True

    def initial(self) -> Tensors:
        w = super().initial()
        for layer in range(self.cfg.n_layers):
            at = f"layers.{layer}."
            w[at + "W_QKV"] = torch.cat([w.pop(at + name) for name in ("W_Q", "W_K", "W_V")], 1)  # (d, 3d)
            w[at + "W_gate_up"] = torch.cat([w.pop(at + name) for name in ("W_gate", "W_up")], 1)  # (d, 2f)
        return w

    def logits(self, w: Tensors, tokens: Any) -> Any:
        cfg = self.cfg
        B, T = tokens.shape

        def norm(x: Any, gain: Any) -> Any:
            return F.rms_norm(x, (cfg.d_model,), gain, cfg.rms_eps)

        x = (w["embed.tokens"][tokens] + w["embed.positions"]).view(-1, cfg.d_model)  # (N, d)
        for layer in range(cfg.n_layers):
            at = f"layers.{layer}."
            QKV = norm(x, w[at + "norm_attn"]) @ w[at + "W_QKV"]  # (N, 3d)
            Q, K, V = QKV.view(B, T, 3, cfg.n_heads, cfg.d_k).permute(2, 0, 3, 1, 4).unbind()  # 3 x (B, H, T, d_k)
            O = F.scaled_dot_product_attention(Q, K, V)
            x = x + O.transpose(1, 2).reshape(x.shape) @ w[at + "W_O"]
            gate, up = (norm(x, w[at + "norm_ffn"]) @ w[at + "W_gate_up"]).chunk(2, -1)
            x = x + (F.silu(gate) * up) @ w[at + "W_down"]
        return norm(x, w["norm_out"]) @ w["W_U"]
