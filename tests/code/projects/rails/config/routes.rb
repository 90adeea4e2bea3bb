Rails.application.routes.draw do
  root to: "home#index"
  get "/status", to: "status#show"
  namespace :admin do
    resources :orders, only: [:index, :show]
  end
  resource :account, only: :show
end
